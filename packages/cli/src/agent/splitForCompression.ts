import type { Content } from "@google/genai";

/** How much of the conversation, by its length, stays as it is. */
const KEPT_SHARE = 0.3;
/** Less than this is not worth a request. */
const FEWEST_COMPRESSED = 2;

export interface Split {
  readonly older: readonly Content[];
  readonly recent: readonly Content[];
}

/** Where to cut: never between a call and its response, and never so that what the model has yet to answer is lost. */
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

/** How many messages at the end wait for the model: its calls with their responses, or a prompt. */
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
