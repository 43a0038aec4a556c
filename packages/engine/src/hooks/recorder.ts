import type { Answer, Failure } from "./answer.ts";
import type { Ending } from "./ending.ts";
import type { HookRegistryEntry } from "./hookRegistry.ts";
import type { Fields } from "./rewrites.ts";

/** Why a hook runs: in its turn, again because its rewrite lost, or a second time on the final value. */
export type Pass = "first" | "again" | "second" | "observe";

/** A field that was rewritten: what it was, what it is now, and by whom. */
export interface Rewrite {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly hook: string;
}

export type Decision = "allow" | "ask" | "block" | "stop";

/** Everything that happens to a matched event, step by step. */
export type HookRecord =
  | {
      readonly kind: "eventMatched";
      readonly eventId: string;
      readonly eventName: string;
      readonly subject: string | undefined;
      readonly sequential: boolean;
      readonly input: Fields;
    }
  | {
      readonly kind: "hookStarted";
      readonly eventId: string;
      readonly runId: number;
      readonly hook: HookRegistryEntry;
      readonly pass: Pass;
    }
  | {
      readonly kind: "hookEnded";
      readonly eventId: string;
      readonly runId: number;
      readonly hook: HookRegistryEntry;
      readonly pass: Pass;
      readonly ending: Ending;
      readonly failure: Failure | undefined;
      readonly answer: Answer | undefined;
      /** False for observing and non-blocking hooks: their answers change nothing. */
      readonly applied: boolean;
      /** What of the answer had no effect, and other notes for the author of the hook. */
      readonly notes: readonly string[];
      readonly durationMs: number;
      /** The input as this hook saw it; built on request, since few readers want it. */
      readonly readInput: () => Fields;
      /** Its bytes as JSON, where it was written as JSON for this hook or one with the same view. */
      readonly readInputSize: () => number | undefined;
    }
  | {
      readonly kind: "hookSkipped";
      readonly eventId: string;
      readonly hook: HookRegistryEntry;
      readonly reason: string;
    }
  | {
      readonly kind: "merged";
      readonly eventId: string;
      readonly eventName: string;
      readonly decision: Decision;
      readonly reason: string | undefined;
      readonly rewrites: readonly Rewrite[];
      readonly notes: readonly string[];
      readonly success: boolean;
      readonly durationMs: number;
    };

export type RecordOf<Kind extends HookRecord["kind"]> = Extract<HookRecord, { readonly kind: Kind }>;

/** Takes the records. It is called on the event's own path: it must be quick, and what it throws is dropped. */
export interface Recorder {
  record(record: HookRecord): void;
}
