import type { Database } from "libsql";
import { effectiveOutcome } from "../records/effectiveOutcome.ts";
import { bucketOf } from "../records/latencyBuckets.ts";
import type { HookMention, NewRow } from "./entryRows.ts";

const DAY_MS = 86_400_000;

/** Counts rows as they are written, so that statistics need not read a million rows later. */
export class Rollups {
  readonly #day;
  readonly #latency;
  readonly #usage;
  readonly #last;
  readonly #event;

  constructor(db: Database) {
    this.#day = db.prepare(`
      INSERT INTO hook_days (hook, source, day, runs, blocks, asks, failures, skips, total_us, max_us)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET runs = runs + excluded.runs, blocks = blocks + excluded.blocks, asks = asks + excluded.asks,
        failures = failures + excluded.failures, skips = skips + excluded.skips, total_us = total_us + excluded.total_us,
        max_us = max(max_us, excluded.max_us)`);
    this.#latency = db.prepare(`
      INSERT INTO hook_latency (hook, source, day, bucket, runs) VALUES (?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET runs = runs + 1`);
    this.#usage = db.prepare(`
      INSERT INTO usage_days (hook, source, day, recorded) VALUES (?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET recorded = recorded + 1`);
    this.#last = db.prepare(`
      INSERT INTO hook_last (hook, source, place, type, event, first_at, at, outcome, reason, failed_at, blocked_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET place = excluded.place, type = excluded.type, event = excluded.event, at = excluded.at,
        outcome = excluded.outcome, reason = excluded.reason, failed_at = coalesce(excluded.failed_at, failed_at),
        blocked_at = coalesce(excluded.blocked_at, blocked_at)`);
    this.#event = db.prepare(`
      INSERT INTO event_days (event, day, matched, unmatched) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET matched = matched + excluded.matched, unmatched = unmatched + excluded.unmatched`);
  }

  add({ at, mention, matched, unmatched }: NewRow): void {
    const day = Math.floor(at / DAY_MS);
    if (mention) this.#mention(mention, day);
    if (matched !== undefined) this.#event.run([matched, day, 1, 0]);
    for (const [event, count] of Object.entries(unmatched ?? {})) this.#event.run([event, day, 0, count]);
  }

  /** An objection of an observing hook is not counted as one. */
  #mention(mention: HookMention, day: number): void {
    const { hook, event, at, outcome: own, applied, durationUs, reason, usageRecorded } = mention;
    const { name, source, place, type } = hook;
    const outcome = effectiveOutcome(own, applied);
    const is = (...outcomes: string[]) => (outcomes.includes(outcome) ? 1 : 0);
    const ran = 1 - is("skipped");
    const blocked = is("block", "stop");
    const failed = is("failed", "abandoned");
    const counts = [ran, blocked, is("ask"), failed, is("skipped"), durationUs, durationUs];
    this.#day.run([name, source, day, ...counts]);
    if (ran === 1) this.#latency.run([name, source, day, bucketOf(durationUs)]);
    if (usageRecorded === true) this.#usage.run([name, source, day]);
    const times = [failed === 1 ? at : null, blocked === 1 ? at : null];
    this.#last.run([name, source, place ?? null, type, event, at, at, outcome, firstLine(reason), ...times]);
  }
}

/** The first line that is not empty. */
function firstLine(reason: string | undefined): string | null {
  return reason?.match(/\S.*/)?.[0] ?? null;
}
