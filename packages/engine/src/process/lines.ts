import { KeptBytes } from "./keptBytes.ts";

const NEWLINE = 10;

/** Splits a stream of chunks into lines. A line keeps at most `limitBytes`; the rest is dropped. */
export class Lines {
  readonly #limitBytes: number;
  readonly #begun: KeptBytes;
  readonly #onLine: (text: string, truncated: boolean) => void;

  constructor(limitBytes: number, onLine: (text: string, truncated: boolean) => void) {
    this.#limitBytes = limitBytes;
    this.#begun = new KeptBytes(limitBytes);
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      // Usually a chunk is one whole line.
      if (this.#begun.isEmpty && end - start <= this.#limitBytes) {
        this.#onLine(chunk.toString("utf8", start, end), false);
      } else {
        this.#begun.add(chunk.subarray(start, end));
        this.flush();
      }
      start = end + 1;
    }
    if (start < chunk.length) this.#begun.add(start === 0 ? chunk : chunk.subarray(start));
  }

  /** The start of a line that has no end yet. */
  get unfinished(): string {
    return this.#begun.text();
  }

  /** Emits an unfinished line: no more input will come. */
  flush(): void {
    if (this.#begun.isEmpty) return;
    const text = this.#begun.text();
    const { truncated } = this.#begun;
    this.#begun.clear();
    this.#onLine(text, truncated);
  }
}
