import { encodeFrame, REQUEST } from "./spawnerFrames.ts";

/** A larger one is not kept by the spawner once no hook runs. */
const LARGE = 64 * 1024;

/** Which input the spawner has. The hooks of an event have the same one, and it cannot be changed there. */
export class SpawnerInput {
  #current: Uint8Array | undefined;

  /** What makes it the current one; undefined if it is. */
  replace(input: Uint8Array): Buffer | undefined {
    if (input === this.#current) return undefined;
    this.#current = input;
    return encodeFrame(REQUEST.input, 0, input);
  }

  /** What frees a large one; undefined for a small one. */
  forget(): Buffer | undefined {
    const isLarge = this.#current !== undefined && this.#current.length > LARGE;
    this.#current = undefined;
    return isLarge ? encodeFrame(REQUEST.input, 0) : undefined;
  }
}
