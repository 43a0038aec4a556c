import { closeSync, constants, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Content } from "@google/genai";
import { errorText } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import { makeStateSubfolder, openOwnFile, statePath } from "@hookline/journal/program";

/** A line of a transcript. Readers skip unknown types. */
export type TranscriptLine =
  | {
      readonly type: "session";
      readonly id: string;
      readonly source: string;
      readonly at: string;
      readonly cwd: string;
      readonly model: string;
    }
  | { readonly type: "message"; readonly at: string; readonly content: Content }
  /** Replaces the conversation so far. */
  | { readonly type: "replaced"; readonly at: string; readonly why: string; readonly contents: readonly Content[] }
  | { readonly type: "end"; readonly at: string; readonly reason: string };

const FOLDER = "sessions";

/**
 * Writes a session line by line: each line reaches the operating system before the session continues. If the transcript cannot be
 * written, the session continues without it: a full disk must not stop guards.
 */
export class Transcript {
  /** Empty if there is no transcript. */
  readonly path: string;
  readonly #file: number | undefined;
  readonly #onTrouble: (text: string) => void;
  /** The last line may be incomplete. */
  #isTorn: boolean;
  #isTold = false;

  private constructor(place: StatePlace, id: string, onTrouble: (text: string) => void) {
    this.#onTrouble = onTrouble;
    try {
      makeStateSubfolder(place, FOLDER);
      const path = transcriptPath(place, id);
      const { file, size } = openOwnFile(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
      this.#file = file;
      this.path = path;
      this.#isTorn = !endsWithNewline(file, size);
    } catch (error) {
      this.path = "";
      this.#isTorn = false;
      this.#tell(transcriptPath(place, id), error);
    }
  }

  static open(place: StatePlace, id: string, onTrouble: (text: string) => void): Transcript {
    return new Transcript(place, id, onTrouble);
  }

  append(line: TranscriptLine): void {
    if (this.#file === undefined) return;
    try {
      const text = `${this.#isTorn ? "\n" : ""}${JSON.stringify(line)}\n`;
      this.#isTorn = true;
      writeSync(this.#file, text);
      this.#isTorn = false;
    } catch (error) {
      this.#tell(this.path, error);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
  }

  #tell(path: string, error: unknown): void {
    if (this.#isTold) return;
    this.#isTold = true;
    const why = errorText(error);
    this.#onTrouble(`The transcript ${path} cannot be written: ${why}. The session continues without it.`);
  }
}

/** Whether an id is safe as a file name. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}

export function transcriptPath(place: StatePlace, id: string): string {
  return join(statePath(place), FOLDER, `${id}.jsonl`);
}

function endsWithNewline(file: number, size: number): boolean {
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 10);
}
