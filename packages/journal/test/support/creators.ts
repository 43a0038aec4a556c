import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { StatePlace } from "../../src/state/statePlace.ts";

const PROGRAM = fileURLToPath(new URL("../fixtures/creator.mjs", import.meta.url));

interface Conditions {
  readonly LINKS?: "none";
  readonly KILL?: "before" | "after";
  readonly UUID?: string;
}

/** A program that opens journals on request, and creates those that are missing. */
export class Creator {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  private constructor(conditions: Conditions) {
    this.#process = spawn(process.execPath, [PROGRAM], { env: { ...process.env, ...conditions } });
    this.#process.stdin.on("error", () => {}); // it may have been killed
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
    onTestFinished(() => void this.#process.kill("SIGKILL"));
  }

  static async ready(conditions: Conditions = {}): Promise<Creator> {
    const creator = new Creator(conditions);
    await creator.#line();
    return creator;
  }

  /** Returns "done", the error, or the signal that killed the program. */
  async open(place: StatePlace): Promise<string> {
    this.#process.stdin.write(`${JSON.stringify(place)}\n`);
    return (await this.#line()) ?? (await this.#signal());
  }

  async #line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  async #signal(): Promise<string> {
    if (this.#process.signalCode === null && this.#process.exitCode === null) await once(this.#process, "close");
    return this.#process.signalCode ?? `exit ${this.#process.exitCode}`;
  }
}
