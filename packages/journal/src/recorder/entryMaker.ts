import type { HookRecord } from "@hookline/engine";
import { answeredDecision, formatPlace, type RecordOf } from "@hookline/engine/program";
import type {
  CallEntry,
  Entry,
  EventEntry,
  HookRef,
  LateEntry,
  RunEntry,
  RunOutcome,
  UnmatchedEntry,
} from "../records/entry.ts";
import { endingFields } from "./endingFields.ts";

type Hook = RecordOf<"hookEnded">["hook"];

/** An event whose hooks are running. */
interface OpenEvent {
  readonly at: number;
  readonly matched: RecordOf<"eventMatched">;
  readonly skipped: { readonly hook: HookRef; readonly reason: string }[];
  /** By run number, which is plan order: completion order does not matter. */
  readonly runs: Map<number, RunEntry>;
  /** Start time of each run, by its number. */
  readonly starts: Map<number, number>;
  isMerged: boolean;
}

/**
 * Combines the steps of an event: one entry for the event with its hooks when it is decided, and one for each hook that
 * ends later.
 */
export class EntryMaker {
  turn = 0;
  session = "";
  readonly #hand: (entry: Entry) => void;
  readonly #open = new Map<string, OpenEvent>();

  constructor(hand: (entry: Entry) => void) {
    this.#hand = hand;
  }

  take(record: HookRecord): void {
    switch (record.kind) {
      case "eventMatched":
        this.session = sessionIn(record.input) ?? this.session;
        this.#open.set(record.eventId, {
          at: Date.now(),
          matched: record,
          skipped: [],
          runs: new Map(),
          starts: new Map(),
          isMerged: false,
        });
        return;
      case "hookSkipped":
        this.#open.get(record.eventId)?.skipped.push({ hook: refOf(record.hook), reason: record.reason });
        return;
      case "hookStarted":
        this.#open.get(record.eventId)?.starts.set(record.runId, Date.now());
        return;
      case "hookEnded":
        this.#ended(record);
        return;
      case "merged":
        this.#merged(record);
        return;
      case "approval": {
        const { kind, input, reason, ...facts } = record;
        const at = Date.now() - record.durationMs;
        this.#hand({ kind, ...facts, ...this.#when(at), input, ...(reason === undefined ? {} : { reason }) });
        return;
      }
    }
  }

  call(facts: Omit<CallEntry, "kind" | "at" | "session" | "turn">, at: number): CallEntry {
    return { kind: "call", ...this.#when(at), ...facts };
  }

  late(): LateEntry {
    return { kind: "late", ...this.#when(Date.now()) };
  }

  unmatched(counts: Readonly<Record<string, number>>): UnmatchedEntry {
    return { kind: "unmatched", ...this.#when(Date.now()), counts };
  }

  #ended(record: RecordOf<"hookEnded">): void {
    const event = this.#open.get(record.eventId);
    if (!event) return;
    const run = this.#runEntry(record, event);
    event.starts.delete(record.runId);
    if (!event.isMerged) event.runs.set(record.runId, run);
    else {
      this.#hand(run);
      if (event.starts.size === 0) this.#open.delete(record.eventId);
    }
  }

  #merged(record: RecordOf<"merged">): void {
    const event = this.#open.get(record.eventId);
    if (!event) return;
    const { eventId, eventName, decision, reason, rewrites, notes, success, durationMs } = record;
    const { matched, at, skipped, runs } = event;
    const entry: EventEntry = {
      kind: "event",
      ...this.#when(at),
      eventId,
      event: eventName,
      ...(matched.subject === undefined ? {} : { subject: matched.subject }),
      sequential: matched.sequential,
      decision,
      ...(reason === undefined ? {} : { reason }),
      success,
      durationMs,
      input: matched.input,
      rewrites,
      notes,
      skipped,
      runs: [...runs].toSorted(([one], [other]) => one - other).map(([, run]) => run),
    };
    event.isMerged = true;
    // Background runs end later and get their own entries.
    if (event.starts.size === 0) this.#open.delete(eventId);
    this.#hand(entry);
  }

  #runEntry(record: RecordOf<"hookEnded">, { matched, starts }: OpenEvent): RunEntry {
    const { eventId, runId, hook, pass, applied, notes, durationMs, failure, ending, answer } = record;
    const at = starts.get(runId) ?? Date.now() - durationMs;
    const seen = record.readInput();
    const reason = reasonOf(record);
    return {
      kind: "run",
      ...this.#when(at),
      eventId,
      event: hook.eventName,
      ...(matched.subject === undefined ? {} : { subject: matched.subject }),
      hook: refOf(hook),
      pass,
      outcome: outcomeOf(record),
      ...(reason === "" ? {} : { reason }),
      durationMs,
      applied,
      ...(seen === matched.input ? {} : { input: seen }),
      ...endingFields(ending),
      ...(failure === undefined ? {} : { failure: failure.kind }),
      ...(failure?.code === undefined ? {} : { errorCode: failure.code }),
      ...(answer?.usageRecorded === undefined ? {} : { usageRecorded: answer.usageRecorded }),
      notes,
    };
  }

  #when(at: number): { readonly at: number; readonly session: string; readonly turn: number } {
    return { at, session: this.session, turn: this.turn };
  }
}

function refOf({ config, source }: Hook): HookRef {
  const { name, place, type } = config;
  return { name, source, type, ...(source === "runtime" ? {} : { place: formatPlace(place) }) };
}

/** An objection counts, even if the rest of the answer is invalid. */
function outcomeOf({ answer, failure, applied }: RecordOf<"hookEnded">): RunOutcome {
  const decision = answeredDecision(answer);
  if (failure === undefined || decision !== "allow") return decision;
  // The program ended while the hook ran in the background.
  return failure.kind === "aborted" && !applied ? "abandoned" : "failed";
}

function reasonOf({ answer, failure }: RecordOf<"hookEnded">): string {
  const reasons = answer ? [...answer.stopReasons, ...answer.reasons] : [];
  return reasons.length > 0 ? reasons.join("\n") : (failure?.message ?? "");
}

function sessionIn({ session_id }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof session_id === "string" ? session_id : undefined;
}
