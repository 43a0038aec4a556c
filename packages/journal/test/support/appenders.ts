import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { JournalOptions } from "@hookline/engine/program";

const PROGRAM = fileURLToPath(new URL("../fixtures/appender.mjs", import.meta.url));

interface Place {
  readonly projectRoot: string;
  readonly homeDir: string;
  readonly options: JournalOptions;
}

/** A program that writes to a journal on request. */
export class Appender {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #acknowledged: string[];
  readonly #ends = new Map<number, () => void>();
  stderr = "";

  constructor(place: Place, acknowledged: string[]) {
    this.#acknowledged = acknowledged;
    this.#process = spawn(process.execPath, [PROGRAM, JSON.stringify(place)]);
    this.#process.stdin.on("error", () => {}); // it may have been killed
    this.#process.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.stderr += text;
    });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#read(line));
  }

  /** Ends when all of them are acknowledged, or the program was killed. */
  append(round: number, count: number): Promise<void> {
    const ended = new Promise<void>((resolve) => this.#ends.set(round, resolve));
    this.#process.stdin.write(`${round} ${count}\n`);
    return Promise.race([ended, this.#closed()]);
  }

  async kill(): Promise<void> {
    const closed = this.#closed();
    this.#process.kill("SIGKILL");
    await closed;
  }

  async end(): Promise<number | null> {
    const closed = this.#closed();
    this.#process.stdin.end();
    await closed;
    return this.#process.exitCode;
  }

  async #closed(): Promise<void> {
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "close");
  }

  #read(line: string): void {
    const [word = "", round] = line.split(" ");
    if (word === "end") this.#ends.get(Number(round))?.();
    else this.#acknowledged.push(word);
  }
}
