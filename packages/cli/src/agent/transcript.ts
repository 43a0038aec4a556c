import { closeSync, fstatSync, mkdirSync, openSync, readSync, realpathSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Content } from "@google/genai";
import { HooklineError } from "@hookline/engine";

/** One line of a transcript. Readers skip what they do not know. */
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
  /** The conversation from here on is this one. */
  | { readonly type: "replaced"; readonly at: string; readonly why: string; readonly contents: readonly Content[] }
  | { readonly type: "end"; readonly at: string; readonly reason: string };

const FOLDER = join(".hookline", "sessions");

/** A session, line by line, as it happens: each line is in the hands of the system before anything else is done. */
export class Transcript {
  readonly path: string;
  readonly #file: number;

  private constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "a+", 0o600);
    if (!endsWithNewline(this.#file)) writeSync(this.#file, "\n"); // a crash cut the last line; ours must not join it
  }

  static open(projectRoot: string, id: string): Transcript {
    return attempt(transcriptPath(projectRoot, id), (path) => {
      makeFolder(projectRoot);
      return new Transcript(path);
    });
  }

  append(line: TranscriptLine): void {
    attempt(this.path, () => writeSync(this.#file, `${JSON.stringify(line)}\n`));
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** A session's id is a file's name: nothing in it can lead anywhere else. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(id);
}

export function transcriptPath(projectRoot: string, id: string): string {
  return join(projectRoot, FOLDER, `${id}.jsonl`);
}

/** Ignored by git, readable by its owner only, and really inside of the project. */
function makeFolder(projectRoot: string): void {
  const folder = join(projectRoot, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (realpathSync(folder) !== join(realpathSync(projectRoot), FOLDER)) {
    throw new Error("the folder is a link to another place");
  }
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { flag: "wx" });
  } catch {
    // it is there already
  }
}

function endsWithNewline(file: number): boolean {
  const { size } = fstatSync(file);
  const last = Buffer.alloc(1);
  return size === 0 || (readSync(file, last, 0, 1, size - 1) === 1 && last[0] === 10);
}

function attempt<T>(path: string, write: (path: string) => T): T {
  try {
    return write(path);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const what = `The transcript cannot be written: ${why}.`;
    throw new HooklineError({ code: "FILE_UNUSABLE", where: { file: path }, what, cause: error });
  }
}
