import type { Database } from "libsql";
import type { Chain, Link, SignedRecord } from "../chain/chain.ts";
import { type ChainEnd, genuine } from "../chain/chainEnd.ts";
import { signCheckpoint } from "../chain/checkpoint.ts";
import { numberIn } from "../store/columns.ts";

export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Few enough that nobody who waits for the journal notices. */
const AT_ONCE = 100;
const LOOK_EVERY_MS = 60_000;
/** Of counts by day, so many days with events: for as long as anybody compares with last year. */
const COUNTED_DAYS = 400;
const DAY_MS = 86_400_000;
/** Of the allowed size, what a chain may keep for itself, whatever else has made the file too large. */
const OWN_SHARE = 0.5;

/**
 * Removes the oldest records of a chain, and signs up to where. Only those of its own chain: for others there is no key to
 * sign with. And only by what genuine records say of their age: who can write to the file must not get us to remove the rest.
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

  /** Inside of a transaction. True if there may be more to remove. */
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

  /** The last of the records to be removed now. */
  #lastToGo(now: number): Link | undefined {
    const isFull = this.#isFull();
    const tooOld = Math.min(now - this.#limits.maxAgeMs, this.#lastQuietMoment());
    // Before anything is read whole: mostly there is nothing to do.
    if (!isFull && !this.#hasOlder(tooOld)) return undefined;
    const oldest = this.#oldest();
    const before = isFull && this.#hasMuch(oldest[0]) ? Number.POSITIVE_INFINITY : tooOld;
    // What a wrong clock has put into the future says nothing about its age.
    const dated = oldest.filter(({ at }) => at <= now + DAY_MS);
    const kept = dated.findIndex(({ at }) => at >= before);
    return (kept === -1 ? dated : dated.slice(0, kept)).at(-1);
  }

  /**
   * Before this, records are old by the days on which something was recorded, whatever the clock says now. A clock that jumped, and
   * jumps again, adds a day each time; by itself it makes nothing old.
   */
  #lastQuietMoment(): number {
    const daysKept = Math.ceil(this.#limits.maxAgeMs / DAY_MS) + 1;
    const day = this.#activeDay(daysKept);
    return day === undefined ? Number.NEGATIVE_INFINITY : (day + 1) * DAY_MS;
  }

  /** The last day with events is 0. */
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

  /** The file, with whatever is in it. */
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
