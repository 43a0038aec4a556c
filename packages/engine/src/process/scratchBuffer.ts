/** More than nearly all requests need; what is larger is encoded into memory of its own. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;
const MOST_BYTES_PER_CHARACTER = 3;

/**
 * Memory that is used again for every long line. To take a fresh megabyte from the system for each costs about as much as
 * to encode it.
 */
export class ScratchBuffer {
  #kept: Buffer | undefined;

  /** The parts, one after the other, as UTF-8; to be given back once they have been written. */
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
