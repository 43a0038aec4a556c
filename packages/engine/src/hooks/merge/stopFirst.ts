import type { Merge } from "./merged.ts";
import { strictest } from "./strictest.ts";

/** Like strictest, but a stop beats a block: the turn ends instead of being tried again. */
export const stopFirst: Merge = (answers, context) => {
  const merged = strictest(answers, context);
  return { ...merged, blocks: merged.blocks && !merged.stops };
};
