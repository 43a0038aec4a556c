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

  /** The request with the notes at its end; they are said once. */
  addTo(request: GenerateContentParameters): GenerateContentParameters {
    const pending = this.#pending;
    this.#pending = [];
    return pending.reduce(addSystemNote, request);
  }
}
