import type { GenerateContentParameters } from "@google/genai";
import { addSystemNote } from "@hookline/engine";

interface Said {
  readonly systemMessage?: string;
}

/** Context of hooks for the model, kept until the next request includes it. */
export class Notes {
  #pending: readonly string[] = [];

  keep({ systemMessage }: Said): void {
    if (systemMessage) this.#pending = [...this.#pending, systemMessage];
  }

  addTo(request: GenerateContentParameters): GenerateContentParameters {
    return this.#pending.reduce(addSystemNote, request);
  }

  /** Clears the notes that the request included. */
  sent(): void {
    this.#pending = [];
  }
}
