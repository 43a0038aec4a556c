import { findTurn, type JournalReader, type LogItem } from "@hookline/journal";
import { logItems } from "@hookline/journal/program";
import { z } from "zod";

export interface EventFilter {
  readonly event?: string;
  /** The id of a session, or a prefix of it. */
  readonly session?: string;
  /** Milliseconds since 1970. */
  readonly since?: number;
  readonly limit: number;
}

export interface RecordedEvents {
  /** The ids of the event records, oldest first. */
  readonly ids: readonly number[];
  /** Whether older events match too. */
  readonly hasMore: boolean;
}

const idRow = z.object({ id: z.number() });

/** The newest events that match. */
export function newestEvents(reader: JournalReader, { event, session, since, limit }: EventFilter): RecordedEvents {
  const conditions: (readonly [sql: string, value: string | number])[] = [
    ["kind = ?", "event"],
    ...(event === undefined ? [] : [["event = ?", event] as const]),
    ...(session === undefined ? [] : [["session = ?", findTurn(reader, { session }).session] as const]),
    // With a condition on the time alone, SQLite would scan all records for the last few.
    ...(since === undefined
      ? []
      : [["id >= (SELECT min(id) FROM records WHERE at >= ?)", since] as const, ["+at >= ?", since] as const]),
  ];
  const where = conditions.map(([sql]) => sql).join(" AND ");
  const values = [...conditions.map(([, value]) => value), limit + 1];
  const rows = reader.rows(idRow, `SELECT id FROM records WHERE ${where} ORDER BY id DESC LIMIT ?`, values);
  const ids = rows.slice(0, limit).map(({ id }) => id);
  return { ids: ids.reverse(), hasMore: rows.length > limit };
}

/** Yields each event with the runs and skips of its hooks, read lazily. */
export function* eventsOf(reader: JournalReader, { ids }: RecordedEvents): Generator<LogItem> {
  for (const items of logItems(reader, ids)) yield* items;
}
