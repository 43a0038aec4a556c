import type { Database } from "libsql";
import type { Chain, Link, SignedRecord } from "../chain/chain.ts";
import { type ChainEnd, genuine } from "../chain/chainEnd.ts";
import { signCheckpoint } from "../chain/checkpoint.ts";
import { numberIn } from "../store/columns.ts";

export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Few enough not to delay other writers noticeably. */
const AT_ONCE = 100;
const LOOK_EVERY_MS = 60_000;
/** Days with events to keep daily counters for: enough to compare with last year. */
const COUNTED_DAYS = 400;
const DAY_MS = 86_400_000;
/** Share of the allowed size that a chain may always keep, whatever else fills the file. */
const OWN_SHARE = 0.5;

/**
 * Removes the oldest records of a chain and signs a checkpoint. Only its own chain: there is no key for others. And
 * only by the age that genuine records state: an attacker who can write to the file must not make us remove the rest.
 */
export class Retention {
  readonly #db: Database;
  readonly #chain: Chain;
  readonly #end: ChainEnd;
  readonly #limits: Limits;
  #nextLook = 0;

  constructor(db: Database, chain: Chain, end: ChainEnd, limits: Limits) {
    this.#db = db;
    this.#chain = chain;
    this.#end = end;
    this.#limits = limits;
  }

  isDue(now: number): boolean {
    return now >= this.#nextLook;
  }

  /** Call inside a transaction. Returns true if there may be more to remove. */
  removeSome(now: number): boolean {
    const last = this.#lastToGo(now);
    if (last === undefined) {
      this.#nextLook = now + LOOK_EVERY_MS;
      this.#forgetCounts(this.#activeDay(COUNTED_DAYS));
      return false;
    }
    this.#remove(last, now);
    return true;
  }

  /** The last of the records to remove now. */
  #lastToGo(now: number): Link | undefined {
    const isFull = this.#isFull();
    const tooOld = Math.min(now - this.#limits.maxAgeMs, this.#lastQuietMoment());
    // Check cheaply first: usually there is nothing to remove.
    if (!isFull && !this.#hasOlder(tooOld)) return undefined;
    const oldest = this.#oldest();
    const before = isFull && this.#hasMuch(oldest[0]) ? Number.POSITIVE_INFINITY : tooOld;
    // A timestamp in the future, from a wrong clock, says nothing about the age.
    const dated = oldest.filter(({ at }) => at <= now + DAY_MS);
    const kept = dated.findIndex(({ at }) => at >= before);
    return (kept === -1 ? dated : dated.slice(0, kept)).at(-1);
  }

  /**
   * Age limit counted in days with records, whatever the clock says now. Each jump of a wrong clock adds one day; a
   * jump alone makes nothing old.
   */
  #lastQuietMoment(): number {
    const daysKept = Math.ceil(this.#limits.maxAgeMs / DAY_MS) + 1;
    const day = this.#activeDay(daysKept);
    return day === undefined ? Number.NEGATIVE_INFINITY : (day + 1) * DAY_MS;
  }

  /** 0 is the last day with events. */
  #activeDay(daysAgo: number): number | undefined {
    const days = this.#db.prepare("SELECT DISTINCT day FROM event_days ORDER BY day DESC LIMIT 1 OFFSET ?");
    const row = days.get([Math.min(daysAgo, Number.MAX_SAFE_INTEGER)]);
    return row === undefined ? undefined : numberIn(row, "day");
  }

  #hasOlder(than: number): boolean {
    const oldest = "SELECT at FROM records WHERE chain = ? ORDER BY n LIMIT ?";
    const found = this.#db.prepare(`SELECT at FROM (${oldest}) WHERE at < ? LIMIT 1`);
    return found.get([this.#chain.id, AT_ONCE, than]) !== undefined;
  }

  #oldest(): readonly SignedRecord[] {
    const rows = this.#db.prepare("SELECT * FROM records WHERE chain = ? ORDER BY n LIMIT ?");
    return rows.all([this.#chain.id, AT_ONCE]).flatMap((row) => genuine(this.#chain, row) ?? []);
  }

  /** Size of the whole file. */
  #isFull(): boolean {
    const [pages, free, size] = ["page_count", "freelist_count", "page_size"].map((name) =>
      numberIn(this.#db.prepare(`PRAGMA ${name}`).get(), name),
    );
    return ((pages ?? 0) - (free ?? 0)) * (size ?? 0) > this.#limits.maxBytes;
  }

  #hasMuch(oldest: SignedRecord | undefined): boolean {
    if (oldest === undefined) return false;
    return this.#end.find(undefined).written - oldest.written > this.#limits.maxBytes * OWN_SHARE;
  }

  #remove({ n, mac }: Link, at: number): void {
    const { id } = this.#chain;
    const checkpoint = { n, mac, at, why: "retention" };
    this.#db.prepare("DELETE FROM checkpoints WHERE chain = ? AND n < ?").run([id, n]);
    this.#db
      .prepare("INSERT OR REPLACE INTO checkpoints (chain, n, mac, at, why, signature) VALUES (?, ?, ?, ?, ?, ?)")
      .run([id, n, mac, at, checkpoint.why, signCheckpoint(this.#chain, checkpoint)]);
    this.#db.prepare("DELETE FROM records WHERE chain = ? AND n <= ?").run([id, n]);
  }

  #forgetCounts(beforeDay = Number.NEGATIVE_INFINITY): void {
    if (beforeDay === Number.NEGATIVE_INFINITY) return;
    for (const table of ["hook_days", "hook_latency", "usage_days", "event_days"]) {
      this.#db.prepare(`DELETE FROM ${table} WHERE day < ?`).run([beforeDay]);
    }
  }
}
