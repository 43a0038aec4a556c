import type { HookSignal } from "../../events/abilitySchemas.ts";
import type { ToolNames } from "../../events/toolNames.ts";
import type { Answer } from "../answer.ts";

/** How the plan ran; decides who wins where only one can. */
export interface MergeContext {
  readonly sequential: boolean;
  readonly tools: ToolNames;
  /** The trust level of each answer's hook, in the same order. */
  readonly trust: readonly number[];
}

/** What an event's answers come to, together. */
export interface Merged {
  readonly blocks: boolean;
  readonly stops: boolean;
  readonly asks: boolean;
  readonly allows: boolean;
  readonly stopReasons: readonly string[];
  readonly reasons: readonly string[];
  readonly messages: readonly string[];
  readonly contexts: readonly string[];
  readonly suppressOutput: boolean;
  readonly specific: Readonly<Record<string, unknown>>;
  readonly signals: readonly HookSignal[];
  readonly logs: readonly string[];
}

/** A merge is a pure function over answers in plan order. */
export type Merge = (answers: readonly Answer[], context: MergeContext) => Merged;
