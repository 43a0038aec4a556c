import type { HookRecord, Recorder } from "@hookline/engine";
import { answeredDecision, type Rewrite } from "@hookline/engine/program";
import type { AgentEvent, HookReport, Observer } from "./agentEvent.ts";

type Ended = Extract<HookRecord, { kind: "hookEnded" }>;

/** Reports every run of a hook and keeps the reports. */
export class HookLog implements Recorder {
  readonly reports: HookReport[] = [];
  readonly #observe: Observer;
  /** Subjects of the running events. A background run that ends after its event is reported without a subject. */
  readonly #subjects = new Map<string, string | undefined>();

  constructor(observe: Observer) {
    this.#observe = observe;
  }

  record(record: HookRecord): void {
    switch (record.kind) {
      case "eventMatched":
        this.#subjects.set(record.eventId, record.subject);
        return;
      case "hookEnded":
        this.#report(record);
        return;
      case "merged":
        this.#subjects.delete(record.eventId);
        for (const rewrite of record.rewrites) this.#observe(rewritten(record.eventName, rewrite));
        return;
      case "hookStarted":
      case "hookSkipped":
      case "approval":
        return;
    }
  }

  #report(record: Ended): void {
    const { hook, durationMs, failure, applied } = record;
    const subject = this.#subjects.get(record.eventId);
    const report: HookReport = {
      event: hook.eventName,
      hook: hook.config.name,
      decision: answeredDecision(record.answer),
      durationMs: Math.round(durationMs * 10) / 10,
      ok: failure === undefined,
      ...(applied ? {} : { applied }),
    };
    this.reports.push(report);
    const note = noteOf(record);
    const context = contextOf(record);
    this.#observe({
      type: "hook",
      report,
      ...(subject === undefined ? {} : { subject }),
      ...(note ? { note } : {}),
      ...(context ? { context } : {}),
    });
  }
}

/** The hook's message and the ignored parts of its answer: an ignored objection must not look like agreement. */
function noteOf(record: Ended): string {
  return [saidBy(record), ...record.notes.map((note) => `(${note})`)].filter(Boolean).join(" ");
}

/** The failure, or the reason of an objection, or the message unless the hook suppresses output. */
function saidBy({ failure, answer }: Ended): string {
  if (failure) return failure.message;
  if (!answer) return "";
  const reasons = [...answer.stopReasons, ...answer.reasons];
  if (answeredDecision(answer) !== "allow") return reasons.join("\n");
  return answer.suppressOutput ? "" : answer.messages.join("\n");
}

function rewritten(event: string, { hook, path, after }: Rewrite): AgentEvent {
  const isArgument = path[0] === "tool_input";
  return { type: "rewritten", event, hook, field: path.join("."), ...(isArgument ? { after } : {}) };
}

function contextOf({ answer }: Ended): string {
  return !answer || answer.suppressOutput ? "" : answer.contexts.join("\n");
}
