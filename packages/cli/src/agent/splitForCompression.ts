import type { Content } from "@google/genai";

/** The share of the conversation, by length, that stays unchanged. */
const KEPT_SHARE = 0.3;
/** Fewer messages are not worth a request. */
const FEWEST_COMPRESSED = 2;

export interface Split {
  readonly older: readonly Content[];
  readonly recent: readonly Content[];
}

/** Finds the place to split: never between a call and its response, and never after a message that the model has yet to answer. */
export function splitForCompression(contents: readonly Content[]): Split | undefined {
  const sizes = contents.map((content) => JSON.stringify(content).length);
  const total = sum(sizes);
  let cut = contents.length - unanswered(contents);
  let kept = sum(sizes.slice(cut));
  for (let index = cut - 1; index > 0; index -= 1) {
    kept += sizes[index] ?? 0;
    if (kept > total * KEPT_SHARE) break;
    if (!hasResponses(contents[index])) cut = index;
  }
  return cut < FEWEST_COMPRESSED ? undefined : { older: contents.slice(0, cut), recent: contents.slice(cut) };
}

/** The number of last messages that the model has yet to answer: its calls with their responses, or a prompt. */
function unanswered(contents: readonly Content[]): number {
  const last = contents.at(-1);
  if (hasResponses(last)) return 2;
  return last?.role === "user" ? 1 : 0;
}

function hasResponses(content: Content | undefined): boolean {
  return content?.parts?.some(({ functionResponse }) => functionResponse) ?? false;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
