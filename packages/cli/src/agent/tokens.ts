import type { Content } from "@google/genai";

const CHARACTERS_PER_TOKEN = 4;

/** A rough estimate; models report the exact count only afterwards. */
export function estimateTokens(contents: readonly Content[]): number {
  return Math.ceil(JSON.stringify(contents).length / CHARACTERS_PER_TOKEN);
}
