import { baseInput, didYouMean, type Located, type Problem } from "@hookline/engine/program";
import type { NamedEvent } from "../project/eventNamed.ts";
import type { Fields } from "./fields.ts";
import { keyPlaceOf } from "./placeOf.ts";
import { wrong } from "./shapeProblems.ts";

/** Fields that a case sets and the event does not have, where another was meant: that would keep the value of the sample. */
export function inputKeyProblems(
  { name, spec }: NamedEvent,
  given: Fields,
  { root, index }: { readonly root: Located; readonly index: number },
): readonly Problem[] {
  const known = new Set([
    ...Object.keys(spec.input.shape),
    ...Object.keys(baseInput.shape),
    ...Object.keys(spec.sample),
  ]);
  return Object.keys(given).flatMap((key) => {
    const [field = ""] = key.split(".");
    const guess = known.has(field) ? "" : didYouMean(field, known);
    // What is like nothing may be meant as it is: a hook can look at fields that only some agents send.
    if (guess === "") return [];
    const where = keyPlaceOf(root, ["tests", index, "input", key]);
    return [wrong(where, `"${field}" is no field of ${name}.${guess}`)];
  });
}
