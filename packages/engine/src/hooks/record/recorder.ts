import type { Answer, Decision, Failure } from "../answer/answer.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { Fields } from "../run/rewrites.ts";

/** Why a hook runs: first time, again because its rewrite lost, a second time on the final value, or observing. */
export type Pass = "first" | "again" | "second" | "observe";

/** A rewritten field: its old value, its new value, and the hook. */
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
      /** Parts of the answer without effect, and other notes for the hook's author. */
      readonly notes: readonly string[];
      readonly durationMs: number;
      /**
       * The input as this hook saw it; built on demand, since few readers need it. If the hook saw the event unchanged,
       * it is the same object as in the event's record. Readers must not modify it.
       */
      readonly readInput: () => Fields;
      /** Its size as JSON in bytes, if it was serialised for this hook or one with the same view. */
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

/** The outcome of asking a person about one call of a tool or an ability. */
export interface Approval {
  readonly callId: string;
  /** The tool or the ability. */
  readonly subject: string;
  /** The input that would run, after every rewrite. */
  readonly input: Fields;
  readonly approved: boolean;
  readonly reason: string | undefined;
  /** `nobody`: there was no one to ask, so it was denied. */
  readonly by: "person" | "nobody";
  /** The hooks that left it to a person; empty if only the tool asked. */
  readonly hooks: readonly string[];
  /** The time until the answer. */
  readonly durationMs: number;
}

export type RecordOf<Kind extends HookRecord["kind"]> = Extract<HookRecord, { readonly kind: Kind }>;

/** Receives the records. Called synchronously during the event, so it must be fast. Its exceptions and rejections are dropped. */
export interface Recorder {
  record(record: HookRecord): void;
  /**
   * Resolves when everything recorded so far is durable; the engine stops waiting if it takes too long. Awaited after an objection and
   * after an approval, before anything else happens.
   */
  commit?(): Promise<void>;
}
