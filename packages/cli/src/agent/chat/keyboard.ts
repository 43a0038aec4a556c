import { setImmediate, setTimeout } from "node:timers/promises";
import type { Terminal } from "../../terminal/io.ts";
import type { Screen } from "./screen.ts";

/** Keys during this pause before a question are dropped: a double Enter must not answer two questions. */
const QUIET_MS = 200;

/** A reader of keys that can be suspended and resumed. */
export interface KeyReader {
  resume(): void;
  suspend(): void;
}

/** Gives the keys to one reader at a time. Questions take precedence, in sequence; the previous reader resumes afterwards. */
export class Keyboard {
  readonly #screen: Screen;
  #reader: KeyReader | undefined;
  #isAsking = false;
  #lastQuestion: Promise<unknown> = Promise.resolve();

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Returns a function that ends the reading. */
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
  await setImmediate(); // on a busy machine, the pause may end before the keys are read
}

/**
 * While the agent works, handles only Ctrl-C and drops all other keys: input from before a question was visible must not answer
 * it.
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
