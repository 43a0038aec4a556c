import type { Database } from "libsql";
import { type Chain, type Link, signCheckpoint } from "./chain.ts";
import { bytesIn, numberIn } from "./columns.ts";

export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Few enough that nobody who waits for the journal notices. */
const AT_ONCE = 100;
const LOOK_EVERY_MS = 60_000;
/** Of counts by day: for as long as anybody compares with last year. */
const COUNTED_DAYS = 400;
const DAY_MS = 86_400_000;

/**
 * Removes the oldest records of a chain, and signs up to where. Only those of its own chain: for others there is no key to
 * sign with.
 */
export class Retention {
  readonly #db: Database;
  readonly #chain: Chain;
  readonly #limits: Limits;
  #nextLook = 0;

  constructor(db: Database, chain: Chain, limits: Limits) {
    this.#db = db;
    this.#chain = chain;
    this.#limits = limits;
  }

  isDue(now: number): boolean {
    return now >= this.#nextLook;
  }

  /** Inside of a transaction. True if there may be more to remove. */
  removeSome(now: number): boolean {
    const last = this.#lastToGo(now);
    if (last === undefined) {
      this.#nextLook = now + LOOK_EVERY_MS;
      this.#forgetCounts(Math.floor(now / DAY_MS) - COUNTED_DAYS);
      return false;
    }
    this.#remove(last, now);
    return true;
  }

  /** The last of the records to be removed now. */
  #lastToGo(now: number): Link | undefined {
    const { id } = this.#chain;
    const oldest = "SELECT n, mac, at FROM records WHERE chain = ? ORDER BY n LIMIT ?";
    const last = this.#isTooLarge()
      ? `SELECT n, mac FROM (${oldest}) ORDER BY n DESC LIMIT 1`
      : `SELECT n, mac FROM (${oldest}) WHERE at < ${now - this.#limits.maxAgeMs} ORDER BY n DESC LIMIT 1`;
    const found = this.#db.prepare(last).get([id, AT_ONCE]);
    return found === undefined ? undefined : { n: numberIn(found, "n"), mac: bytesIn(found, "mac") };
  }

  #isTooLarge(): boolean {
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((name) =>
      numberIn(this.#db.prepare(`PRAGMA ${name}`).get(), name),
    );
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0) > this.#limits.maxBytes;
  }

  #remove({ n, mac }: Link, at: number): void {
    const { id } = this.#chain;
    const checkpoint = { n, mac, at, why: "retention" };
    this.#db.prepare("DELETE FROM checkpoints WHERE chain = ? AND n < ?").run([id, n]);
    this.#db
      .prepare("INSERT INTO checkpoints (chain, n, mac, at, why, signature) VALUES (?, ?, ?, ?, ?, ?)")
      .run([id, n, checkpoint.mac, at, checkpoint.why, signCheckpoint(this.#chain, checkpoint)]);
    this.#db.prepare("DELETE FROM records WHERE chain = ? AND n <= ?").run([id, n]);
  }

  #forgetCounts(beforeDay: number): void {
    for (const table of ["hook_days", "hook_latency", "event_days"]) {
      this.#db.prepare(`DELETE FROM ${table} WHERE day < ?`).run([beforeDay]);
    }
  }
}
