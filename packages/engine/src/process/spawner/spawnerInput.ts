import { closeSync } from "node:fs";
import { openInputFile } from "../inputFile.ts";
import { encodeFrame, numbers, REQUEST } from "./spawnerFrames.ts";

/** A larger input goes through a file: a socket takes it in pieces, in turns with our event loop. */
const LARGE = 64 * 1024;

export interface InputFrame {
  readonly frame: Buffer;
  /** Call it when the spawner has read the frame; a second call changes nothing. */
  readonly release: () => void;
}

/** Which input the spawner has. The hooks of an event have the same one, and it cannot be changed there. */
export class SpawnerInput {
  #current: Uint8Array | undefined;

  /** What makes it the current one; undefined if it is. */
  replace(input: Uint8Array): InputFrame | undefined {
    if (input === this.#current) return undefined;
    this.#current = input;
    const file = input.length > LARGE ? openInputFile(input) : null;
    if (file === null) return { frame: encodeFrame(REQUEST.inputBytes, 0, input), release: () => {} };
    let isOpen = true;
    const release = () => {
      if (isOpen) closeSync(file);
      isOpen = false;
    };
    return { frame: encodeFrame(REQUEST.inputFile, 0, numbers(file)), release };
  }

  /** What frees a large one; undefined for a small one. */
  forget(): Buffer | undefined {
    const isLarge = this.#current !== undefined && this.#current.length > LARGE;
    this.#current = undefined;
    return isLarge ? encodeFrame(REQUEST.inputBytes, 0) : undefined;
  }
}
