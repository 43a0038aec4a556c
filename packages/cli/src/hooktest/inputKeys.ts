import { baseInput, didYouMean, type Fields, type Located, type Problem } from "@hookline/engine/program";
import type { NamedEvent } from "../project/eventNamed.ts";
import { keyPlaceOf } from "./placeOf.ts";
import { wrong } from "./shapeProblems.ts";

/** Fields that look misspelt: the event has a similar one, which would silently keep the value of the sample. */
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
    // Unknown and not similar to a known field: assume it is intentional, as some agents send more fields.
    if (guess === "") return [];
    const where = keyPlaceOf(root, ["tests", index, "input", key]);
    return [wrong(where, `"${field}" is not a field of ${name}.${guess}`)];
  });
}
