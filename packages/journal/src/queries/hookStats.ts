import { z } from "zod";
import type { JournalReader } from "../reader/journalReader.ts";
import { percentileUs } from "../records/latencyBuckets.ts";

const DAY_MS = 86_400_000;

export interface StatsFilter {
  /** The first UTC day to count. */
  readonly fromDay: number;
  readonly hook?: string;
}

/** Counters of a hook, by UTC days. */
export interface HookStats {
  readonly hook: string;
  readonly source: string;
  readonly runs: number;
  readonly blocks: number;
  readonly asks: number;
  readonly failures: number;
  readonly skips: number;
  /** How often it answered that it recorded a usage. */
  readonly usages: number;
  readonly maxUs: number;
  readonly p50Us: number | undefined;
  readonly p95Us: number | undefined;
  readonly p99Us: number | undefined;
  /** Runs per latency bucket, see latencyBuckets.ts. */
  readonly latency: ReadonlyMap<number, number>;
}

export interface EventStats {
  readonly event: string;
  readonly matched: number;
  readonly unmatched: number;
}

export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

export function dayStart(day: number): number {
  return day * DAY_MS;
}

const hookRow = z.object({
  hook: z.string(),
  source: z.string(),
  runs: z.number(),
  blocks: z.number(),
  asks: z.number(),
  failures: z.number(),
  skips: z.number(),
  max_us: z.number(),
});
const latencyRow = z.object({ hook: z.string(), source: z.string(), bucket: z.number(), runs: z.number() });

const usageRow = z.object({ hook: z.string(), source: z.string(), recorded: z.number() });

/** Busiest hook first. */
export function hookStats(reader: JournalReader, { fromDay, hook }: StatsFilter): readonly HookStats[] {
  const where = hook === undefined ? "day >= ?" : "day >= ? AND hook = ?";
  const values = hook === undefined ? [fromDay] : [fromDay, hook];
  const latencies = new Map<string, Map<number, number>>();
  const perBucket = `SELECT hook, source, bucket, sum(runs) AS runs FROM hook_latency WHERE ${where} GROUP BY hook, source, bucket`;
  for (const { hook: name, source, bucket, runs } of reader.rows(latencyRow, perBucket, values)) {
    const key = keyOf(name, source);
    latencies.set(key, (latencies.get(key) ?? new Map<number, number>()).set(bucket, runs));
  }
  const usages = usagesByHook(reader, where, values);
  const perHook = `
    SELECT hook, source, sum(runs) AS runs, sum(blocks) AS blocks, sum(asks) AS asks, sum(failures) AS failures,
      sum(skips) AS skips, max(max_us) AS max_us
    FROM hook_days WHERE ${where} GROUP BY hook, source ORDER BY runs DESC, hook, source`;
  return reader.rows(hookRow, perHook, values).map(({ max_us, ...counts }) => {
    const key = keyOf(counts.hook, counts.source);
    const latency = latencies.get(key) ?? new Map<number, number>();
    // A bucket's bound is a little higher than its runs; cap it at the longest run.
    const part = (share: number) => {
      const bound = percentileUs(latency, share);
      return bound === undefined ? undefined : Math.min(bound, max_us);
    };
    const percentiles = { p50Us: part(0.5), p95Us: part(0.95), p99Us: part(0.99) };
    return { ...counts, usages: usages.get(key) ?? 0, maxUs: max_us, ...percentiles, latency };
  });
}

/** Empty for a journal of an earlier version, which does not count usages. */
function usagesByHook(reader: JournalReader, where: string, values: readonly (string | number)[]) {
  const isCounted = reader.rows(z.object({}), "SELECT name FROM sqlite_schema WHERE name = 'usage_days'").length > 0;
  const sql = `SELECT hook, source, sum(recorded) AS recorded FROM usage_days WHERE ${where} GROUP BY hook, source`;
  const rows = isCounted ? reader.rows(usageRow, sql, values) : [];
  return new Map(rows.map(({ hook, source, recorded }) => [keyOf(hook, source), recorded]));
}

const eventRow = z.object({ event: z.string(), matched: z.number(), unmatched: z.number() });

export function eventStats(reader: JournalReader, fromDay: number): readonly EventStats[] {
  const sql = `
    SELECT event, sum(matched) AS matched, sum(unmatched) AS unmatched FROM event_days WHERE day >= ?
    GROUP BY event ORDER BY sum(matched) + sum(unmatched) DESC, event`;
  return reader.rows(eventRow, sql, [fromDay]);
}

function keyOf(hook: string, source: string): string {
  return `${source} ${hook}`;
}
