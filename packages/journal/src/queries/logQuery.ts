import { z } from "zod";
import type { JournalReader } from "../reader/journalReader.ts";
import type { RecordKind } from "../records/record.ts";
import type { LogDecision, LogFilter } from "./logFilter.ts";

/** Records written after one id and up to another. */
interface Range {
  readonly after?: number;
  readonly upTo: number;
}

/** The newest matches, oldest first. */
export function newestIds(reader: JournalReader, filter: LogFilter, { upTo }: Range, limit: number): number[] {
  return idsOf(reader, { filter, range: { upTo }, end: "ORDER BY id DESC LIMIT ?", values: [limit] }).reverse();
}

/** All matches, oldest first. */
export function idsBetween(reader: JournalReader, filter: LogFilter, range: Range): number[] {
  return idsOf(reader, { filter, range, end: "ORDER BY id", values: [] });
}

const lastRow = z.object({ id: z.number().nullable() });

/** Id of the newest record; 0 if there is none. */
export function lastId(reader: JournalReader): number {
  return reader.rows(lastRow, "SELECT max(id) AS id FROM records")[0]?.id ?? 0;
}

interface Query {
  readonly filter: LogFilter;
  readonly range: Range;
  readonly end: string;
  readonly values: readonly number[];
}

/** Ids are not positive where `doctor --fix` put records of an earlier version in front of the others. */
const FIRST_ID = Number.MIN_SAFE_INTEGER + 1;

const idRow = z.object({ id: z.number() });

function idsOf(reader: JournalReader, { filter, range, end, values }: Query): number[] {
  const { event, hook, decision, since } = filter;
  const kinds = kindsOf(filter);
  const outcomes = decision === undefined ? [] : decision === "failed" ? ["failed", "abandoned"] : [decision];
  const first = since === undefined ? FIRST_ID : firstIdSince(reader, since);
  // A plus keeps SQLite from using that column's index: a million runs of a hook may include three blocks.
  const isRare = decision !== undefined && decision !== "allow";
  const conditions = [
    `kind IN (${places(kinds)})`,
    ...(hook === undefined ? [] : [`${isRare ? "+" : ""}hook = ?`]),
    ...(event === undefined ? [] : [`${isRare || hook !== undefined ? "+" : ""}event = ?`]),
    ...(outcomes.length === 0 ? [] : [`${isRare || (!hook && !event) ? "" : "+"}outcome IN (${places(outcomes)})`]),
    "id > ? AND id <= ?",
    ...(since === undefined ? [] : ["+at >= ?"]),
  ];
  const given = [
    ...kinds,
    ...(hook === undefined ? [] : [hook]),
    ...(event === undefined ? [] : [event]),
    ...outcomes,
    Math.max(range.after ?? FIRST_ID, first - 1),
    range.upTo,
    ...(since === undefined ? [] : [since]),
    ...values,
  ];
  const rows = reader.rows(idRow, `SELECT id FROM records WHERE ${conditions.join(" AND ")} ${end}`, given);
  return rows.map(({ id }) => id);
}

/** By default events, approvals, gaps and late records; with a hook or decision filter, runs and skips. */
function kindsOf({ hook, decision }: LogFilter): readonly RecordKind[] {
  if (hook !== undefined) return ["run", "skip"];
  return decision === undefined ? ["event", "approval", "gap", "late"] : [DECIDED_BY[decision]];
}

const DECIDED_BY: Readonly<Record<LogDecision, RecordKind>> = {
  allow: "event",
  ask: "event",
  block: "event",
  stop: "event",
  failed: "run",
  approved: "approval",
  denied: "approval",
  skipped: "skip",
};

/** More than can be in flight to the journal at any time. */
const MOST_OUT_OF_ORDER = 50_000;

/**
 * The id to start reading at. Records are written when they end: one that began earlier may have a greater id. So look
 * for the first id among as many records as can overtake each other.
 */
function firstIdSince(reader: JournalReader, since: number): number {
  const sql = "SELECT min(id) AS id FROM (SELECT id FROM records WHERE at >= ? ORDER BY at LIMIT ?)";
  const [row] = reader.rows(lastRow, sql, [since, MOST_OUT_OF_ORDER]);
  return row?.id ?? Number.MAX_SAFE_INTEGER;
}

function places(values: readonly unknown[]): string {
  return values.map(() => "?").join(", ");
}
