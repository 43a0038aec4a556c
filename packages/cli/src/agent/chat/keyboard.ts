import { setImmediate, setTimeout } from "node:timers/promises";
import type { Terminal } from "../../terminal/io.ts";
import type { Screen } from "./screen.ts";

/** So long before a question keys are still the reader's: who pressed Enter twice has answered one question, not two. */
const QUIET_MS = 200;

/** Somebody who reads keys until they are suspended, and again when they are resumed. */
export interface KeyReader {
  resume(): void;
  suspend(): void;
}

/** Who reads the keys: one at a time. Questions come first, one after the other; whoever read before goes on afterwards. */
export class Keyboard {
  readonly #screen: Screen;
  #reader: KeyReader | undefined;
  #isAsking = false;
  #lastQuestion: Promise<unknown> = Promise.resolve();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Returns the end of it. */
  give(reader: KeyReader): () => void {
    this.#reader = reader;
    if (!this.#isAsking) reader.resume();
    return () => {
      if (this.#reader !== reader) return;
      this.#reader = undefined;
      if (!this.#isAsking) reader.suspend();
    };
  }

  ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#lastQuestion.then(() => this.#ask(question));
    this.#lastQuestion = answer.catch(() => {});
    return answer;
  }

  async #ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    if (this.#reader) await quiet();
    this.#isAsking = true;
    this.#reader?.suspend();
    this.#screen.hold();
    try {
      return await question();
    } finally {
      this.#screen.release();
      this.#isAsking = false;
      this.#reader?.resume();
    }
  }
}

async function quiet(): Promise<void> {
  await setTimeout(QUIET_MS);
  await setImmediate(); // on a busy machine the time may pass before the keys are read
}

/**
 * While the agent works, only Ctrl-C is heard. All else is dropped: what was typed before a question was seen must not be
 * the answer to it.
 */
export function interruptKey({ input, interrupt }: Terminal): KeyReader {
  const listen = (keys: unknown) => {
    for (const key of String(keys)) if (key === "\u0003") interrupt();
  };
  return {
    resume() {
      input.setRawMode(true);
      input.on("data", listen);
      input.resume();
    },
    suspend() {
      input.off("data", listen);
      input.setRawMode(false);
      input.pause();
    },
  };
}
