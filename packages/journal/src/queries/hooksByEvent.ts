import type { JournalRecord } from "../records/record.ts";

/** Groups the runs and skips among some records by event id. */
export function hooksByEvent(records: readonly JournalRecord[]): ReadonlyMap<string, readonly JournalRecord[]> {
  const found = new Map<string, JournalRecord[]>();
  for (const record of records) {
    const { kind, eventId } = record;
    if (eventId === undefined || (kind !== "run" && kind !== "skip")) continue;
    const others = found.get(eventId);
    if (others) others.push(record);
    else found.set(eventId, [record]);
  }
  return found;
}
