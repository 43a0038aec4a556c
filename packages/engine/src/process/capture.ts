import { Socket } from "node:net";
import { KeptBytes } from "./keptBytes.ts";
import type { OutputStream } from "./leader.ts";

/** Keeps the first `limitBytes` of a stream, and reads and drops the rest, so that the writer never blocks. */
export class Capture {
  ended = false;
  readonly #stream: OutputStream;
  readonly #kept: KeptBytes;

  constructor(stream: OutputStream, limitBytes: number, onEnd: () => void) {
    this.#stream = stream;
    this.#kept = new KeptBytes(limitBytes);
    const end = () => {
      if (this.ended) return;
      this.ended = true;
      onEnd();
    };
    stream.on("data", this.#keep);
    stream.on("end", end);
    stream.on("error", end);
  }

  get truncated(): boolean {
    return this.#kept.truncated;
  }

  text(): string {
    return this.#kept.text();
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Keeps draining the pipe, without storing anything and without keeping the caller's process alive. */
  ignoreRest(): void {
    if (this.ended) return;
    this.#stream.off("data", this.#keep);
    this.#stream.resume();
    this.#kept.clear();
    if (this.#stream instanceof Socket) this.#stream.unref();
  }

  readonly #keep = (chunk: Buffer): void => this.#kept.add(chunk);
}
