import type { Content } from "@google/genai";
import { presentable } from "@hookline/engine/program";
import { estimateTokens } from "./tokens.ts";
import type { Transcript } from "./transcript.ts";

/**
 * The conversation as the model will see it; whatever is added is on disk before anything else happens. What is nested too deep is
 * withheld: one such call must not make every later request unusable.
 */
export class History {
  #contents: readonly Content[];
  #transcript: Transcript;
  /** What the model last counted, and for how much of the conversation. */
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

  /** The model's own count of everything up to now. */
  count(tokens: number): void {
    this.#counted = { tokens, contents: this.#contents.length };
  }
}

const now = () => new Date().toISOString();
