import { Socket } from "node:net";
import type { Readable } from "node:stream";

const EMPTY = Buffer.alloc(0);

/** Keeps the first `limitBytes` of a stream, and reads and drops the rest, so that the writer never stalls. */
export class Capture {
  ended = false;
  truncated = false;
  readonly #stream: Readable;
  readonly #limitBytes: number;
  #kept: Buffer = EMPTY;
  #length = 0;

  constructor(stream: Readable, limitBytes: number, onEnd: () => void) {
    this.#stream = stream;
    this.#limitBytes = limitBytes;
    const end = () => {
      if (this.ended) return;
      this.ended = true;
      onEnd();
    };
    stream.on("data", this.#keep);
    stream.on("end", end);
    stream.on("error", end);
  }

  /** Decoded once, so that no character is torn between two chunks. */
  text(): string {
    return this.#kept.toString("utf8", 0, this.#length);
  }

  close(): void {
    this.#stream.destroy();
  }

  /** Goes on emptying the pipe, without keeping anything and without keeping the caller's process alive. */
  ignoreRest(): void {
    if (this.ended) return;
    this.#stream.off("data", this.#keep);
    this.#stream.resume();
    this.#kept = EMPTY;
    this.#length = 0;
    if (this.#stream instanceof Socket) this.#stream.unref();
  }

  readonly #keep = (chunk: Buffer): void => {
    const room = this.#limitBytes - this.#length;
    if (chunk.length > room) this.truncated = true;
    if (room > 0) this.#append(chunk.subarray(0, room));
  };

  // One growing buffer: a list of chunks costs a hundred times its content when a hook prints byte by byte.
  #append(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (this.#length === 0) this.#kept = bytes;
    else {
      if (needed > this.#kept.length) this.#grow(needed);
      this.#kept.set(bytes, this.#length);
    }
    this.#length = needed;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(this.#limitBytes, Math.max(needed, 2 * this.#kept.length)));
    grown.set(this.#kept.subarray(0, this.#length));
    this.#kept = grown;
  }
}
