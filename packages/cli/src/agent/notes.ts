import type { GenerateContentParameters } from "@google/genai";
import { addSystemNote } from "@hookline/engine";

interface Said {
  readonly systemMessage?: string;
}

/** What hooks have to say to the model, until the next request takes it along. */
export class Notes {
  #pending: readonly string[] = [];

  keep({ systemMessage }: Said): void {
    if (systemMessage) this.#pending = [...this.#pending, systemMessage];
  }

  addTo(request: GenerateContentParameters): GenerateContentParameters {
    return this.#pending.reduce(addSystemNote, request);
  }

  /** The request is on its way: they were said, once. */
  sent(): void {
    this.#pending = [];
  }
}
