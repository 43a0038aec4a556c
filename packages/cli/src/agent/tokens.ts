import type { Content } from "@google/genai";

const CHARACTERS_PER_TOKEN = 4;

/** A rough count; models tell the true one only afterwards. */
export function estimateTokens(contents: readonly Content[]): number {
  return Math.ceil(JSON.stringify(contents).length / CHARACTERS_PER_TOKEN);
}
