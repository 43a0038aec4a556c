import type { HookSignal } from "../../events/abilitySchemas.ts";

export type Decision = "allow" | "ask" | "block" | "stop";

/** Why a hook's run failed. A failure is not a verdict; `onError` decides what it means. */
export interface Failure {
  readonly kind:
    | "exitCode"
    | "killed"
    | "timedOut"
    | "overran"
    | "notStarted"
    | "threw"
    | "badAnswer"
    | "reported"
    | "died"
    | "status"
    | "untrusted"
    | "noCapacity"
    | "disposed"
    | "aborted";
  readonly message: string;
  /** The hook's own code for an error that it reports. */
  readonly code?: string;
  readonly exitCode?: number;
  readonly signal?: NodeJS.Signals;
  /** The status code of an endpoint's answer. */
  readonly status?: number;
}

/** What one hook answered, in one shape for both vocabularies. Merges are functions over lists of these. */
export interface Answer {
  readonly blocks: boolean;
  readonly stops: boolean;
  readonly asks: boolean;
  readonly allows: boolean;
  readonly stopReasons: readonly string[];
  readonly reasons: readonly string[];
  readonly messages: readonly string[];
  readonly contexts: readonly string[];
  readonly suppressOutput: boolean;
  /** `hookSpecificOutput`, aliases resolved, without contexts and rewrites. */
  readonly specific: Readonly<Record<string, unknown>>;
  /** Requested changes: input field → requested value. */
  readonly rewrites: Readonly<Record<string, unknown>>;
  readonly signals: readonly HookSignal[];
  readonly logs: readonly string[];
  /** The hook says that it recorded the use of an ability. */
  readonly usageRecorded?: boolean;
}

export const NO_ANSWER: Answer = {
  blocks: false,
  stops: false,
  asks: false,
  allows: false,
  stopReasons: [],
  reasons: [],
  messages: [],
  contexts: [],
  suppressOutput: false,
  specific: {},
  rewrites: {},
  signals: [],
  logs: [],
};

/** The hook's decision, strictest first. */
export function answeredDecision(answer: Answer | undefined): Decision {
  if (answer?.blocks) return "block";
  if (answer?.stops) return "stop";
  return answer?.asks ? "ask" : "allow";
}

export function objects(answer: Answer): boolean {
  return answer.blocks || answer.stops || answer.asks;
}

/** The objection alone: what remains of an answer whose rest is unreliable. */
export function objectionOnly(answer: Answer): Answer {
  const { blocks, stops, asks, stopReasons, reasons, signals } = answer;
  return { ...NO_ANSWER, blocks, stops, asks, stopReasons, reasons, signals };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads one field of any value; undefined if a getter or proxy throws. */
export function fieldOf(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch {
    return undefined;
  }
}
