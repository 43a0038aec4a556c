import type { Merge } from "./merged.ts";
import { strictest } from "./strictest.ts";

/** Texts are joined in plan order; the event has no verdict, so none comes out. */
export const collect: Merge = (answers, context) => ({
  ...strictest(answers, context),
  blocks: false,
  stops: false,
  asks: false,
});
