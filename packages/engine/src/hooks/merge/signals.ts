import type { Merge } from "./merged.ts";
import { strictest } from "./strictest.ts";

/** Valid signals in plan order; any denial denies, else any requires-human asks. */
export const signals: Merge = (answers, context) => strictest(answers, context);
