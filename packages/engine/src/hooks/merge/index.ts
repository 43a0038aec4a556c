import type { MergeName } from "../../events/eventSpec.ts";
import type { Merge } from "./merged.ts";
import { strictest } from "./strictest.ts";
import { toolSelection } from "./toolSelection.ts";

/** Like strictest, but a stop beats a block: the turn ends instead of being tried again. */
const stopFirst: Merge = (answers, context) => {
  const merged = strictest(answers, context);
  return { ...merged, blocks: merged.blocks && !merged.stops };
};

/** Joins texts in plan order; the event has no verdict, so none comes out. */
const collect: Merge = (answers, context) => ({
  ...strictest(answers, context),
  blocks: false,
  stops: false,
  asks: false,
});

/** Keeps only logs: what an infra hook says reaches neither the turn nor the model. */
const infra: Merge = (answers, context) => {
  const { logs } = collect(answers, context);
  return { ...collect([], context), logs };
};

/** The strategies by the names that catalog rows use. */
export const MERGES: Readonly<Record<MergeName, Merge>> = {
  strictest,
  stopFirst,
  toolSelection,
  collect,
  /** Valid signals in plan order; any denial denies, else any requires-human asks. */
  signals: strictest,
  infra,
};
