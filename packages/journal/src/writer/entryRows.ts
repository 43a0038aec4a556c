import type { SignedRow } from "../chain/chain.ts";
import type {
  ApprovalEntry,
  CallEntry,
  Entry,
  EventEntry,
  HookRef,
  RunEntry,
  UnmatchedEntry,
} from "../records/entry.ts";
import type { RecordBody } from "../records/record.ts";
import type { Redaction } from "../redaction/redaction.ts";
import { Payloads } from "./payloads.ts";
import type { Withholding } from "./withheld.ts";

/** What a row contributes to the per-hook counters. */
export interface HookMention {
  readonly hook: HookRef;
  readonly event: string;
  readonly at: number;
  readonly outcome: string;
  /** For a run: whether its answer took effect. */
  readonly applied?: boolean;
  readonly durationUs: number;
  readonly reason: string | undefined;
  readonly usageRecorded?: boolean;
}

/** A row to be signed, with its contribution to the counters. */
export interface NewRow extends SignedRow {
  readonly mention?: HookMention;
  readonly matched?: string;
  readonly unmatched?: Readonly<Record<string, number>>;
}

/** Converts an entry to rows, redacted and bounded; an event comes before the hooks it started. */
export function rowsOf(entry: Entry, redaction: Redaction, withholding: Withholding): readonly NewRow[] {
  switch (entry.kind) {
    case "event":
      return eventRows(withholding.event(entry), redaction);
    case "run":
      return [runRow(withholding.run(entry), redaction)];
    case "approval":
      return [approvalRow(entry, redaction)];
    case "call":
      return [callRow(entry, redaction)];
    case "unmatched":
      return [unmatchedRow(entry, redaction)];
    case "late":
      return [rowFor(entry, redaction)];
  }
}

/** Records the number of lost entries. */
export function gapRow(lost: number, at: number): NewRow {
  return { ...row("gap", { at, session: "", turn: 0 }), body: json({ lost }) };
}

function eventRows(entry: EventEntry, redaction: Redaction): readonly NewRow[] {
  const { eventId, sequential, success, decision, notes, skipped, runs, durationMs } = entry;
  const event = redaction.name(entry.event);
  const payloads = new Payloads(redaction);
  const body: RecordBody = {
    ...payloads.reason(entry.reason),
    sequential,
    success,
    input: payloads.value(entry.input),
    ...(entry.originals === undefined ? {} : { originals: entry.originals }),
    ...(entry.rewrites.length === 0 ? {} : { rewrites: payloads.rewrites(entry) }),
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => payloads.text(note)) }),
    ...payloads.flags(),
  };
  const subject = payloads.subject(entry.subject);
  // The id is the engine's own.
  const common = { ...rowFor(entry, redaction), event_id: eventId, event, subject };
  return [
    {
      ...common,
      outcome: decision,
      duration_us: us(durationMs),
      body: json(body),
      matched: event,
    },
    ...skipped.map(({ hook, reason }) => {
      const [shown, why] = [payloads.hook(hook), payloads.text(reason)];
      return {
        ...common,
        kind: "skip",
        hook: shown.name,
        outcome: "skipped",
        body: json({ reason: why, hook: refOf(shown) }),
        mention: { hook: shown, event, at: entry.at, outcome: "skipped", durationUs: 0, reason: why },
      };
    }),
    ...runs.map((run) => runRow(run, redaction)),
  ];
}

function runRow(entry: RunEntry, redaction: Redaction): NewRow {
  const { eventId, pass, outcome, applied, notes, exitCode, signal, failure, errorCode, usageRecorded } = entry;
  const payloads = new Payloads(redaction);
  const [event, hook] = [redaction.name(entry.event), payloads.hook(entry.hook)];
  const reason = entry.reason === undefined ? undefined : payloads.text(entry.reason);
  const body: RecordBody = {
    ...(reason === undefined ? {} : { reason }),
    hook: refOf(hook),
    pass,
    applied,
    ...("input" in entry ? { input: payloads.value(entry.input) } : {}),
    ...("output" in entry ? { output: payloads.value(entry.output) } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
    ...(entry.stdout ? { stdout: payloads.text(entry.stdout) } : {}),
    ...(entry.stderr ? { stderr: payloads.text(entry.stderr) } : {}),
    ...(failure === undefined ? {} : { failure }),
    ...(errorCode === undefined ? {} : { errorCode: payloads.text(errorCode) }),
    ...(usageRecorded === undefined ? {} : { usageRecorded }),
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => payloads.text(note)) }),
    ...payloads.flags(),
  };
  const durationUs = us(entry.durationMs);
  return {
    ...rowFor(entry, redaction),
    event_id: eventId,
    event,
    subject: payloads.subject(entry.subject),
    hook: hook.name,
    outcome,
    duration_us: durationUs,
    body: json(body),
    mention: {
      ...{ hook, event, at: entry.at, outcome, applied, durationUs, reason },
      ...(usageRecorded === undefined ? {} : { usageRecorded }),
    },
  };
}

function approvalRow(entry: ApprovalEntry, redaction: Redaction): NewRow {
  const { callId, approved, by, hooks, durationMs } = entry;
  const payloads = new Payloads(redaction);
  const body: RecordBody = {
    ...payloads.reason(entry.reason),
    callId: redaction.name(callId),
    by,
    hooks: hooks.map((hook) => redaction.name(hook)),
    input: payloads.value(entry.input),
    ...payloads.flags(),
  };
  return {
    ...rowFor(entry, redaction),
    event: "Approval",
    subject: payloads.subject(entry.subject),
    outcome: approved ? "approved" : "denied",
    duration_us: us(durationMs),
    body: json(body),
  };
}

function callRow(entry: CallEntry, redaction: Redaction): NewRow {
  const { what, durationMs, callId, tokens } = entry;
  const body: RecordBody = {
    what,
    ...(callId === undefined ? {} : { callId: redaction.name(callId) }),
    ...(tokens === undefined ? {} : { tokens }),
  };
  return {
    ...rowFor(entry, redaction),
    subject: redaction.text(entry.subject).value,
    outcome: redaction.name(entry.status),
    duration_us: us(durationMs),
    body: json(body),
  };
}

function unmatchedRow(entry: UnmatchedEntry, redaction: Redaction): NewRow {
  const counts = Object.fromEntries(Object.entries(entry.counts).map(([event, n]) => [redaction.name(event), n]));
  return { ...rowFor(entry, redaction), body: json({ counts }), unmatched: counts };
}

function rowFor({ kind, at, session, turn }: Entry, redaction: Redaction): SignedRow {
  return row(kind, { at, session: redaction.session(session), turn });
}

function row(kind: string, { at, session, turn }: Pick<Entry, "at" | "session" | "turn">): SignedRow {
  return {
    at: Math.round(at),
    kind,
    session,
    turn,
    event_id: null,
    event: null,
    subject: null,
    hook: null,
    outcome: "",
    duration_us: 0,
    body: "{}",
  };
}

function refOf({ source, place, type }: HookRef): NonNullable<RecordBody["hook"]> {
  return { source, type, ...(place === undefined ? {} : { place }) };
}

const us = (ms: number): number => Math.round(ms * 1_000);
const json = (body: RecordBody): string => JSON.stringify(body);
