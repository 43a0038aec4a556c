import type { JournalReader } from "../reader/journalReader.ts";
import type { JournalRecord, RecordKind } from "../records/record.ts";
import { hooksByEvent } from "./hooksByEvent.ts";
import type { LogFilter } from "./logFilter.ts";
import { lastId, newestIds } from "./logQuery.ts";
import { RECORD_COLUMNS, recordRow } from "./recordRow.ts";

/** An item of the log: an event with the runs and skips of its hooks, or a single other record. */
export interface LogItem {
  readonly record: JournalRecord;
  readonly hooks: readonly JournalRecord[];
  /** For a run: its event. */
  readonly event?: JournalRecord;
}

const AT_ONCE = 200;

/** The newest lines of the log, oldest first. They are read as they are asked for. */
export function* readLog(reader: JournalReader, filter: LogFilter, limit: number): Generator<LogItem> {
  for (const items of logItems(reader, newestIds(reader, filter, { upTo: lastId(reader) }, limit))) yield* items;
}

/** Reads in batches on demand: there may be a million records with payloads. */
export function* logItems(reader: JournalReader, ids: readonly number[]): Generator<readonly LogItem[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const records = recordsWhere(reader, "id", ids.slice(from, from + AT_ONCE));
    const hooks = hooksByEvent(recordsWhere(reader, "kind <> 'event' AND event_id", eventIds(records, "event")));
    const events = recordsWhere(reader, "kind = 'event' AND event_id", eventIds(records, "run"));
    const eventById = new Map(events.map((event) => [event.eventId, event]));
    yield records.map((record) => {
      const { kind, eventId = "" } = record;
      const event = kind === "run" ? eventById.get(eventId) : undefined;
      return {
        record,
        hooks: kind === "event" ? (hooks.get(eventId) ?? []) : [],
        ...(event === undefined ? {} : { event }),
      };
    });
  }
}

function eventIds(records: readonly JournalRecord[], wanted: RecordKind): readonly string[] {
  return records.flatMap(({ kind, eventId }) => (kind === wanted && eventId ? [eventId] : []));
}

type Condition = "id" | "kind <> 'event' AND event_id" | "kind = 'event' AND event_id";

function recordsWhere(
  reader: JournalReader,
  condition: Condition,
  values: readonly (string | number)[],
): JournalRecord[] {
  if (values.length === 0) return [];
  const places = values.map(() => "?").join(", ");
  // The event index is not in id order; sorting the few rows is cheap.
  const sql = `SELECT ${RECORD_COLUMNS} FROM records WHERE ${condition} IN (${places}) ORDER BY id`;
  return reader.rows(recordRow, sql, values);
}
