import type { Decision, HookRecord, Recorder } from "@hookline/engine";
import type { HookReport, Observer } from "./agentEvent.ts";

type Ended = Extract<HookRecord, { kind: "hookEnded" }>;

/** Tells of every run of a hook, and keeps the reports. */
export class HookLog implements Recorder {
  readonly reports: HookReport[] = [];
  readonly #observe: Observer;
  /** Subjects of the events under way. What ends in the background, after its event, is told without. */
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
        return;
      case "hookStarted":
      case "hookSkipped":
        return;
    }
  }

  #report(record: Ended): void {
    const { hook, durationMs, failure, applied } = record;
    const subject = this.#subjects.get(record.eventId);
    const report: HookReport = {
      event: hook.eventName,
      hook: hook.config.name,
      decision: decisionOf(record),
      durationMs: Math.round(durationMs * 10) / 10,
      ok: failure === undefined,
      ...(applied ? {} : { applied }),
    };
    this.reports.push(report);
    const note = noteOf(record);
    this.#observe({ type: "hook", report, ...(subject === undefined ? {} : { subject }), ...(note ? { note } : {}) });
  }
}

function decisionOf({ answer }: Ended): Decision {
  if (answer?.blocks) return "block";
  if (answer?.stops) return "stop";
  return answer?.asks ? "ask" : "allow";
}

/** A failure, else why it objects, else its message, unless it asked for silence. */
function noteOf({ failure, answer }: Ended): string | undefined {
  if (failure) return failure.message;
  if (!answer) return undefined;
  const reasons = [...answer.stopReasons, ...answer.reasons];
  if (answer.blocks || answer.stops || answer.asks) return reasons.join("\n");
  return answer.suppressOutput ? undefined : answer.messages.join("\n");
}
