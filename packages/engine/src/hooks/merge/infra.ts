import { collect } from "./collect.ts";
import type { Merge } from "./merged.ts";

/** Only logs are kept: what an infra hook says reaches neither the turn nor the model. */
export const infra: Merge = (answers, context) => {
  const { logs } = collect(answers, context);
  return { ...collect([], context), logs };
};
