import { z } from "zod";
import type { JournalReader } from "../reader/journalReader.ts";
import type { JournalRecord } from "../records/record.ts";
import type { TurnKey } from "./findTurn.ts";
import { hooksByEvent } from "./hooksByEvent.ts";
import { RECORD_COLUMNS, recordRow } from "./recordRow.ts";

/** Programs without turns may put a million records into one; read no more than this. */
const MOST_RECORDS = 2_000;

/** A step: an event with its hooks, a tool, a model request, an approval; or a hook that ended after its event. */
export interface Step {
  readonly record: JournalRecord;
  readonly hooks: readonly JournalRecord[];
}

export interface Turn extends TurnKey {
  /** The call record of the whole turn, if known. */
  readonly whole: JournalRecord | undefined;
  /** In start order. */
  readonly steps: readonly Step[];
  /** There are more records before or after these. */
  readonly isCut: boolean;
}

export function readTurn(reader: JournalReader, key: TurnKey): Turn {
  const found = recordsUpTo(reader, key, lastWanted(reader, key));
  const records = found.toSorted((one, other) => one.at - other.at || one.id - other.id);
  const hooks = hooksByEvent(records);
  const events = new Set(records.filter(({ kind }) => kind === "event").map(({ eventId }) => eventId));
  const isTurn = ({ kind, body }: JournalRecord) => kind === "call" && body.what === "turn";
  const isStep = (record: JournalRecord) => {
    const { kind, eventId } = record;
    if (kind === "run" || kind === "skip") return !events.has(eventId);
    return kind !== "unmatched" && !isTurn(record);
  };
  return {
    ...key,
    whole: records.find(isTurn),
    steps: records.filter(isStep).map((record) => ({
      record,
      hooks: record.kind === "event" ? (hooks.get(record.eventId ?? "") ?? []) : [],
    })),
    isCut: found.length === MOST_RECORDS,
  };
}

function recordsUpTo(reader: JournalReader, { session, turn }: TurnKey, last: number): readonly JournalRecord[] {
  return reader.rows(
    recordRow,
    `SELECT ${RECORD_COLUMNS} FROM records WHERE session = ? AND turn = ? AND id <= ? ORDER BY id DESC LIMIT ?`,
    [session, turn, last, MOST_RECORDS],
  );
}

/** The end of the turn; in a long turn, as far after the requested event as before it. */
function lastWanted(reader: JournalReader, { session, turn, eventId }: TurnKey): number {
  if (eventId === undefined) return Number.MAX_SAFE_INTEGER;
  const sql = `
    SELECT id FROM records WHERE session = ? AND turn = ? AND id >= (SELECT min(id) FROM records WHERE event_id = ?)
    ORDER BY id LIMIT 1 OFFSET ?`;
  const [row] = reader.rows(z.object({ id: z.number() }), sql, [session, turn, eventId, MOST_RECORDS / 2]);
  return row?.id ?? Number.MAX_SAFE_INTEGER;
}
