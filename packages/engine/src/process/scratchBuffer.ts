/** Enough for nearly all requests; larger ones get their own buffer. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;
const MOST_BYTES_PER_CHARACTER = 3;

/**
 * A buffer that is reused for every long line. Allocating a fresh megabyte for each costs about as much as
 * encoding it.
 */
export class ScratchBuffer {
  #kept: Buffer | undefined;

  /** Encodes the parts, joined, as UTF-8; give the buffer back once it has been written. */
  encode(parts: readonly string[]): Buffer {
    const room = MOST_BYTES_PER_CHARACTER * parts.reduce((sum, { length }) => sum + length, 0);
    const memory = this.#take(room) ?? Buffer.allocUnsafeSlow(room);
    let end = 0;
    for (const part of parts) end += memory.write(part, end);
    return memory.subarray(0, end);
  }

  giveBack({ buffer }: Buffer): void {
    if (buffer.byteLength <= MOST_KEPT_BYTES) this.#kept = Buffer.from(buffer);
  }

  #take(room: number): Buffer | undefined {
    const kept = this.#kept;
    if (!kept || kept.length < room) return undefined;
    this.#kept = undefined;
    return kept;
  }
}
