import type { HookSignal } from "../../events/abilitySchemas.ts";
import type { ToolNames } from "../../events/toolNames.ts";
import type { Answer } from "../answer.ts";

/** An answer with what a merge may need to know of its hook. */
export interface SourcedAnswer extends Answer {
  readonly trust: number;
}

/** How the plan ran; decides who wins where only one can. */
export interface MergeContext {
  readonly sequential: boolean;
  readonly tools: ToolNames;
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
export type Merge = (answers: readonly SourcedAnswer[], context: MergeContext) => Merged;
