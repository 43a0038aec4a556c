const FIRST_BYTES = 4096;

/** Collects bytes in linear time, even if they arrive one by one. */
export class GrowingBuffer {
  #bytes = Buffer.allocUnsafe(FIRST_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(more: Uint8Array): void {
    const needed = this.#length + more.length;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(grown, 0, 0, this.#length);
      this.#bytes = grown;
    }
    this.#bytes.set(more, this.#length);
    this.#length = needed;
  }

  /** Returns the collected text and empties the buffer. */
  take(): string {
    const text = this.#bytes.toString("utf8", 0, this.#length);
    this.#length = 0;
    return text;
  }

  takeBytes(): Uint8Array<ArrayBuffer> {
    const bytes = Uint8Array.from(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
    return bytes;
  }
}
