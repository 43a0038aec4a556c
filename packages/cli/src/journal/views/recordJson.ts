import type { JournalRecord } from "../record.ts";

/** A record as programs get it, with the runs and skips of its hooks where it is an event. */
export function recordJson(record: JournalRecord, hooks: readonly JournalRecord[] = []): object {
  const { at, durationUs, body, ...rest } = record;
  return {
    ...rest,
    at: new Date(at).toISOString(),
    durationMs: durationUs / 1_000,
    body,
    ...(record.kind === "event" ? { hooks: hooks.map((hook) => recordJson(hook)) } : {}),
  };
}
