import type { CallEntry, EventEntry, RunEntry } from "../../src/records/entry.ts";

/** A minute ago, and each a second after the one before. */
const BEGINNING = Date.now() - 60_000;

export function event(nth: number, more: Partial<EventEntry> = {}): EventEntry {
  return {
    kind: "event",
    at: BEGINNING + nth * 1_000,
    session: "session-one",
    turn: 1,
    eventId: `${String(nth).padStart(4, "0")}aaaa-0000`,
    event: "BeforeTool",
    subject: "write_file",
    sequential: false,
    decision: "allow",
    success: true,
    durationMs: 12,
    input: { tool_name: "write_file" },
    rewrites: [],
    notes: [],
    skipped: [],
    runs: [],
    ...more,
  };
}

export const GUARD = { name: "guard", source: "project", type: "command" };

/** A run of the guard within an event. */
export function runIn(of: EventEntry, more: Partial<RunEntry> = {}): RunEntry {
  const { at, session, turn, eventId, event: name, subject } = of;
  return {
    kind: "run",
    at,
    session,
    turn,
    eventId,
    event: name,
    ...(subject === undefined ? {} : { subject }),
    hook: GUARD,
    pass: "first",
    outcome: "allow",
    durationMs: 11,
    applied: true,
    exitCode: 0,
    notes: [],
    ...more,
  };
}

/** An event in which the guard ran, and decided it. */
export function guarded(nth: number, outcome: "allow" | "ask" | "block", more: Partial<EventEntry> = {}): EventEntry {
  const reason = outcome === "allow" ? {} : { reason: "Not this file.\nAnd no other." };
  const plain = event(nth, { decision: outcome, ...reason, ...more });
  return { ...plain, runs: [runIn(plain, { outcome, ...reason })] };
}

export function call(nth: number, more: Partial<CallEntry> = {}): CallEntry {
  const { at, session, turn } = event(nth);
  return {
    kind: "call",
    at,
    session,
    turn,
    what: "tool",
    subject: "write_file",
    status: "success",
    durationMs: 300,
    ...more,
  };
}
