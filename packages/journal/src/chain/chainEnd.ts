import type { Database, Statement } from "libsql";
import { BEGINNING, type Chain, type End, isGenuine, type Link, type SignedRecord, sameMac } from "./chain.ts";
import { CHECKPOINTS, readCheckpoint } from "./checkpoint.ts";
import { readSigned } from "./signedRecord.ts";

/** How many records without our signature to skip. */
const MOST_FORGED = 50;

/** Finds where a chain continues. Forged records are neither built upon nor overwritten. */
export class ChainEnd {
  readonly #chain: Chain;
  readonly #tail: Statement;
  readonly #checkpoints: Statement;
  readonly #taken: Statement;
  /** Known to be genuine, so not verified again. */
  #ours: Link | undefined;
  #isContested = false;

  constructor(db: Database, chain: Chain) {
    this.#chain = chain;
    this.#tail = db.prepare("SELECT * FROM records WHERE chain = ? ORDER BY n DESC LIMIT 1 OFFSET ?");
    this.#checkpoints = db.prepare(CHECKPOINTS);
    this.#taken = db.prepare("SELECT n FROM records WHERE chain = ? AND n = ?");
  }

  /**
   * With fewer records than acknowledged, the last ones were removed: continues after their numbers, so that the gap
   * stays detectable.
   */
  find(head: Link | undefined): End {
    const end = this.#lastRecord() ?? this.#lastCheckpoint() ?? BEGINNING;
    return head !== undefined && head.n > end.n ? { ...head, written: end.written } : end;
  }

  /** The number of the next record. */
  next({ n }: Link): number {
    let free = n + 1;
    while (this.#isContested && this.#taken.get([this.#chain.id, free]) !== undefined) free += 1;
    return free;
  }

  wrote(end: End): void {
    this.#ours = end;
  }

  #lastRecord(): SignedRecord | undefined {
    this.#isContested = false;
    for (let forged = 0; forged < MOST_FORGED; forged++) {
      const row = this.#tail.get([this.#chain.id, forged]);
      if (row === undefined) return undefined;
      const record = genuine(this.#chain, row, this.#ours);
      if (record) return record;
      this.#isContested = true;
    }
    return undefined;
  }

  #lastCheckpoint(): End | undefined {
    const all = this.#checkpoints.all([this.#chain.id]).map((row) => readCheckpoint(this.#chain, row));
    const last = all.find(({ isGenuine: isOurs }) => isOurs);
    return last && { ...last, written: 0 };
  }
}

/** Reads a row as a record of the chain; undefined unless one of our programs wrote it. */
export function genuine(chain: Chain, row: unknown, known?: Link): SignedRecord | undefined {
  try {
    const record = readSigned(row);
    const isKnown = known !== undefined && known.n === record.n && sameMac(known.mac, record.mac);
    return isKnown || isGenuine(chain, record) ? record : undefined;
  } catch {
    return undefined; // not one of our rows
  }
}
