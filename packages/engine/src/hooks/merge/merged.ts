import type { ToolNames } from "../../events/toolNames.ts";
import type { Answer } from "../answer/answer.ts";

/** How the plan ran; decides who wins where only one can. */
export interface MergeContext {
  readonly sequential: boolean;
  readonly tools: ToolNames;
  /** The trust level of the hook that gave the answer at this place. */
  readonly trustOf: (index: number) => number;
}

/** What an event's answers come to, together. Rewrites are settled before: they decide what everybody gets to see. */
export type Merged = Omit<Answer, "rewrites">;

/** A merge is a pure function over answers in plan order. */
export type Merge = (answers: readonly Answer[], context: MergeContext) => Merged;
