import type { Content } from "@google/genai";
import { presentable } from "@hookline/engine/program";
import type { Transcript } from "./transcript.ts";

const CHARACTERS_PER_TOKEN = 4;

/**
 * The conversation as the model will see it. Writes each addition to disk before continuing. Withholds values that are nested too
 * deeply, because they would make every later request unusable.
 */
export class History {
  #contents: readonly Content[];
  #transcript: Transcript;
  /** The model's last token count, and the number of contents that it covers. */
  #counted = { tokens: 0, contents: 0 };

  constructor(transcript: Transcript, contents: readonly Content[] = []) {
    this.#transcript = transcript;
    this.#contents = presentable(contents);
  }

  get contents(): readonly Content[] {
    return this.#contents;
  }

  get tokens(): number {
    const { tokens, contents } = this.#counted;
    return tokens + estimateTokens(this.#contents.slice(contents));
  }

  add(given: Content): void {
    const content = presentable(given);
    this.#transcript.append({ type: "message", at: now(), content });
    this.#contents = [...this.#contents, content];
  }

  replace(given: readonly Content[], why: string): void {
    const contents = presentable(given);
    this.#transcript.append({ type: "replaced", at: now(), why, contents });
    this.#contents = contents;
    this.#counted = { tokens: 0, contents: 0 };
  }

  /** Sets the model's own count of all tokens so far. */
  count(tokens: number): void {
    this.#counted = { tokens, contents: this.#contents.length };
  }
}

/** A rough estimate; models report the exact count only afterwards. */
function estimateTokens(contents: readonly Content[]): number {
  return Math.ceil(JSON.stringify(contents).length / CHARACTERS_PER_TOKEN);
}

const now = () => new Date().toISOString();
