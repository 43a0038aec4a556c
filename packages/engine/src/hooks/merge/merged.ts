import type { ToolNames } from "../../events/toolNames.ts";
import type { Answer } from "../answer/answer.ts";

/** How the plan ran; decides which answer wins if only one can. */
export interface MergeContext {
  readonly sequential: boolean;
  readonly tools: ToolNames;
  /** The trust level of the hook that gave the answer at this index. */
  readonly trustOf: (index: number) => number;
}

/** The merged answers of an event. Rewrites are settled earlier: they decide what all hooks see. */
export type Merged = Omit<Answer, "rewrites">;

/** A merge is a pure function over answers in plan order. */
export type Merge = (answers: readonly Answer[], context: MergeContext) => Merged;
