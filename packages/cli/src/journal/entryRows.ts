import type { SignedRow } from "./chain.ts";
import type { ApprovalEntry, CallEntry, Entry, EventEntry, HookRef, RunEntry, UnmatchedEntry } from "./entry.ts";
import type { RecordBody } from "./record.ts";
import type { Redaction } from "./redaction/redaction.ts";

/** What one row says about a hook, for the tables that count. */
export interface HookMention {
  readonly hook: HookRef;
  readonly event: string;
  readonly at: number;
  readonly outcome: string;
  readonly durationUs: number;
  readonly reason: string | undefined;
}

/** A row to be signed, with what it adds to the counts. */
export interface NewRow extends SignedRow {
  readonly mention?: HookMention;
  readonly matched?: string;
  readonly unmatched?: Readonly<Record<string, number>>;
}

/** An entry as rows, without secrets and bounded; an event before the hooks that it started. */
export function rowsOf(entry: Entry, redaction: Redaction): readonly NewRow[] {
  switch (entry.kind) {
    case "event":
      return eventRows(entry, redaction);
    case "run":
      return [runRow(entry, redaction)];
    case "approval":
      return [approvalRow(entry, redaction)];
    case "call":
      return [callRow(entry, redaction)];
    case "unmatched":
      return [unmatchedRow(entry)];
    case "late":
      return [row(entry, "late")];
  }
}

/** That entries were lost is itself on the record. */
export function gapRow(lost: number, at: number): NewRow {
  return { ...row({ at, session: "", turn: 0 }, "gap"), body: json({ lost }) };
}

function eventRows(entry: EventEntry, redaction: Redaction): readonly NewRow[] {
  const { eventId, event, sequential, success, decision, notes, skipped, runs, durationMs } = entry;
  const payloads = new Payloads(redaction);
  const body: RecordBody = {
    ...payloads.reason(entry.reason),
    sequential,
    success,
    input: payloads.value(entry.input),
    ...(entry.rewrites.length === 0 ? {} : { rewrites: payloads.rewrites(entry.rewrites) }),
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => payloads.text(note)) }),
    ...payloads.flags(),
  };
  const subject = payloads.subject(entry.subject);
  const common = { event_id: eventId, event, subject };
  return [
    {
      ...row(entry, "event"),
      ...common,
      outcome: decision,
      duration_us: us(durationMs),
      body: json(body),
      matched: event,
    },
    ...skipped.map(({ hook, reason }) => ({
      ...row(entry, "skip"),
      ...common,
      hook: hook.name,
      outcome: "skipped",
      body: json({ ...payloads.reason(reason), hook: refOf(hook) }),
      mention: { hook, event, at: entry.at, outcome: "skipped", durationUs: 0, reason: payloads.text(reason) },
    })),
    ...runs.map((run) => runRow(run, redaction)),
  ];
}

function runRow(entry: RunEntry, redaction: Redaction): NewRow {
  const { eventId, event, hook, pass, outcome, applied, notes, exitCode, signal, failure } = entry;
  const payloads = new Payloads(redaction);
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
    ...(notes.length === 0 ? {} : { notes: notes.map((note) => payloads.text(note)) }),
    ...payloads.flags(),
  };
  const durationUs = us(entry.durationMs);
  return {
    ...row(entry, "run"),
    event_id: eventId,
    event,
    subject: payloads.subject(entry.subject),
    hook: hook.name,
    outcome,
    duration_us: durationUs,
    body: json(body),
    mention: { hook, event, at: entry.at, outcome, durationUs, reason },
  };
}

function approvalRow(entry: ApprovalEntry, redaction: Redaction): NewRow {
  const { callId, approved, by, hooks, durationMs } = entry;
  const payloads = new Payloads(redaction);
  const body: RecordBody = {
    ...payloads.reason(entry.reason),
    callId,
    by,
    hooks: [...hooks],
    input: payloads.value(entry.input),
    ...payloads.flags(),
  };
  return {
    ...row(entry, "approval"),
    event: "Approval",
    subject: payloads.subject(entry.subject),
    outcome: approved ? "approved" : "denied",
    duration_us: us(durationMs),
    body: json(body),
  };
}

function callRow(entry: CallEntry, redaction: Redaction): NewRow {
  const { what, status, durationMs, callId, tokens } = entry;
  const body: RecordBody = {
    what,
    ...(callId === undefined ? {} : { callId }),
    ...(tokens === undefined ? {} : { tokens }),
  };
  const subject = redaction.text(entry.subject).value;
  return { ...row(entry, "call"), subject, outcome: status, duration_us: us(durationMs), body: json(body) };
}

function unmatchedRow(entry: UnmatchedEntry): NewRow {
  const counts = { ...entry.counts };
  return { ...row(entry, "unmatched"), body: json({ counts }), unmatched: counts };
}

function row({ at, session, turn }: Pick<Entry, "at" | "session" | "turn">, kind: string): SignedRow {
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

/** Redacts the payloads of one row, and remembers whether anything is missing. */
class Payloads {
  readonly #redaction: Redaction;
  #redacted = false;
  #cut = false;

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  value(given: unknown): unknown {
    return this.#kept(this.#redaction.payload(given));
  }

  text(given: string): string {
    return this.#kept(this.#redaction.text(given));
  }

  subject(given: string | undefined): string | null {
    return given === undefined ? null : this.text(given);
  }

  reason(given: string | undefined): { readonly reason?: string } {
    return given === undefined ? {} : { reason: this.text(given) };
  }

  rewrites(given: EventEntry["rewrites"]): NonNullable<RecordBody["rewrites"]> {
    return given.map(({ path, before, after, hook }) => {
      // Under its own name, so that a field that holds a secret is known for one.
      const last = path.at(-1) ?? "";
      const [was, is] = [this.value({ [last]: before }), this.value({ [last]: after })];
      return { path: [...path], before: valueIn(was), after: valueIn(is), hook };
    });
  }

  flags(): { readonly redacted?: true; readonly cut?: true } {
    return { ...(this.#redacted ? { redacted: true } : {}), ...(this.#cut ? { cut: true } : {}) };
  }

  #kept<Value>({ value, redacted, cut }: { value: Value; redacted: boolean; cut: boolean }): Value {
    this.#redacted ||= redacted;
    this.#cut ||= cut;
    return value;
  }
}

function valueIn(wrapped: unknown): unknown {
  return typeof wrapped === "object" && wrapped !== null ? Object.values(wrapped)[0] : wrapped;
}

function refOf({ source, place, type }: HookRef): NonNullable<RecordBody["hook"]> {
  return { source, type, ...(place === undefined ? {} : { place }) };
}

const us = (ms: number): number => Math.round(ms * 1_000);
const json = (body: RecordBody): string => JSON.stringify(body);
