import type { JournalReader } from "../journalReader.ts";
import type { JournalRecord } from "../record.ts";
import { hooksByEvent } from "./hooksByEvent.ts";
import { RECORD_COLUMNS, recordRow } from "./recordRow.ts";

/** A line of the log: an event with the runs and skips of its hooks, or any other record by itself. */
export interface LogItem {
  readonly record: JournalRecord;
  readonly hooks: readonly JournalRecord[];
}

const AT_ONCE = 200;

/** Read as they are asked for, some at a time: there may be a million of them, each with its payloads. */
export function* logItems(reader: JournalReader, ids: readonly number[]): Generator<readonly LogItem[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const records = recordsIn(reader, "id", ids.slice(from, from + AT_ONCE));
    const eventIds = records.flatMap(({ kind, eventId }) => (kind === "event" && eventId ? [eventId] : []));
    const hooks = hooksByEvent(recordsIn(reader, "event_id", eventIds));
    yield records.map((record) => ({
      record,
      hooks: record.kind === "event" ? (hooks.get(record.eventId ?? "") ?? []) : [],
    }));
  }
}

function recordsIn(
  reader: JournalReader,
  column: "id" | "event_id",
  values: readonly (string | number)[],
): JournalRecord[] {
  if (values.length === 0) return [];
  const places = values.map(() => "?").join(", ");
  // The index by event is no order of ids; what comes back for a few events is soon sorted.
  const sql = `SELECT ${RECORD_COLUMNS} FROM records WHERE ${column} IN (${places}) ORDER BY id`;
  return reader.rows(recordRow, sql, values);
}
