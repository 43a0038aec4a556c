import type { Answer, Decision, Failure } from "../answer/answer.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { Fields } from "../run/rewrites.ts";

/** Why a hook runs: in its turn, again because its rewrite lost, or a second time on the final value. */
export type Pass = "first" | "again" | "second" | "observe";

/** A field that was rewritten: what it was, what it is now, and by whom. */
export interface Rewrite {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
  readonly hook: string;
}

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
      /**
       * The input as this hook saw it; built on request, since few readers want it. Where the hook saw the event as it was
       * announced, it is that very object. Readers do not change it.
       */
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
    }
  | ({ readonly kind: "approval" } & Approval);

/** What became of a question to a person about one call, of a tool or an ability. */
export interface Approval {
  readonly callId: string;
  /** The tool or the ability. */
  readonly subject: string;
  /** What would run, after every rewrite. */
  readonly input: Fields;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** Where nobody could be asked, it was denied for that. */
  readonly by: "person" | "nobody";
  /** The hooks that left it to a person; none where only the tool asked. */
  readonly hooks: readonly string[];
  /** How long the answer took. */
  readonly durationMs: number;
}

export type RecordOf<Kind extends HookRecord["kind"]> = Extract<HookRecord, { readonly kind: Kind }>;

/** Takes the records. It is called on the event's own path: it must be quick. What it throws, or rejects with, is dropped. */
export interface Recorder {
  record(record: HookRecord): void;
  /**
   * Ends when everything that was recorded is kept for good, or when it takes too long: waited for after an objection and
   * after an approval, before anything else happens.
   */
  commit?(): Promise<void>;
}
