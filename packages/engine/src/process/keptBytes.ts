const EMPTY = Buffer.alloc(0);

/** Keeps the first `limitBytes` of the added bytes. */
export class KeptBytes {
  truncated = false;
  readonly #limitBytes: number;
  #bytes: Buffer = EMPTY;
  #length = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(chunk: Buffer): void {
    const room = this.#limitBytes - this.#length;
    if (chunk.length > room) this.truncated = true;
    if (room > 0) this.#append(chunk.subarray(0, room));
  }

  /** Decoded once, so that no character is split between two chunks. */
  text(): string {
    return this.#bytes.toString("utf8", 0, this.#length);
  }

  clear(): void {
    this.#bytes = EMPTY;
    this.#length = 0;
    this.truncated = false;
  }

  // One growing buffer: if a hook prints byte by byte, a list of chunks costs a hundred times its content.
  #append(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (this.#length === 0) this.#bytes = bytes;
    else {
      if (needed > this.#bytes.length) this.#grow(needed);
      this.#bytes.set(bytes, this.#length);
    }
    this.#length = needed;
  }

  #grow(needed: number): void {
    const grown = Buffer.allocUnsafe(Math.min(this.#limitBytes, Math.max(needed, 2 * this.#bytes.length)));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
