import type { JournalRecord } from "@hookline/journal";
import { isoTime } from "./times.ts";

/** The JSON form of a record; an event includes the runs and skips of its hooks. */
export function recordJson(record: JournalRecord, hooks: readonly JournalRecord[] = []): object {
  const { at, durationUs, body, ...rest } = record;
  return {
    ...rest,
    at: isoTime(at),
    durationMs: durationUs / 1_000,
    body,
    ...(record.kind === "event" ? { hooks: hooks.map((hook) => recordJson(hook)) } : {}),
  };
}
