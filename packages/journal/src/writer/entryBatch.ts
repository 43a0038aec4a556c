/** Serialised entries, one after the other, with the position after each. */
export interface PackedEntries {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ends: readonly number[];
}

const FIRST_BYTES = 32 * 1024;

/**
 * Collects entries in one piece of memory, which is moved to the thread instead of copied. Posting each entry as its own piece of
 * memory cost the agent more than serialising it.
 */
export class EntryBatch {
  #bytes = new Uint8Array(0);
  #used = 0;
  #ends: number[] = [];

  get entries(): number {
    return this.#ends.length;
  }

  get usedBytes(): number {
    return this.#used;
  }

  add(entry: Uint8Array): void {
    const end = this.#used + entry.length;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, 2 * this.#bytes.length, FIRST_BYTES));
      grown.set(this.#bytes.subarray(0, this.#used));
      this.#bytes = grown;
    }
    this.#bytes.set(entry, this.#used);
    this.#used = end;
    this.#ends.push(end);
  }

  /** Hands over what was collected, and starts anew. */
  take(): PackedEntries {
    const taken = { bytes: this.#bytes, ends: this.#ends };
    this.#bytes = new Uint8Array(0);
    this.#used = 0;
    this.#ends = [];
    return taken;
  }
}

/** The entries of a batch, each as its own view. */
export function* unpack({ bytes, ends }: PackedEntries): Generator<Uint8Array> {
  let start = 0;
  for (const end of ends) {
    yield bytes.subarray(start, end);
    start = end;
  }
}
