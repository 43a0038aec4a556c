import { headOf } from "../../terminal/cutText.ts";
import type { AbilityResult } from "../abilityResult.ts";

const MAX_OUTPUT_CHARS = 256 * 1024;
const MAX_FILES = 1_000;

/** Truncates a result for the store; the caller of the run received all of it. */
export function cutResult(result: AbilityResult): AbilityResult {
  const { output, changedFiles, error } = result;
  const text = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return {
    ...result,
    output: text.length <= MAX_OUTPUT_CHARS ? output : cut(text),
    changedFiles: changedFiles.slice(0, MAX_FILES),
    ...(error === undefined ? {} : { error: cut(error) }),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_OUTPUT_CHARS) return text;
  return `${headOf(text, MAX_OUTPUT_CHARS)}… (${text.length} characters)`;
}
