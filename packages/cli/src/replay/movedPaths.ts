import { sep } from "node:path";
import type { Fields } from "../eventInput.ts";
import { isFields } from "../hooktest/fields.ts";
import type { HookNote, Verdict } from "./verdict.ts";

/** Fields that hold paths, by the ends of their names: file_path, dir_path, transcript_path, absolutePath, changed_paths, … */
const HOLDS_PATHS = /(?:cwd|root|paths?|files?|dirs?|director(?:y|ies)|folders?)$/i;

/** Leads recorded paths of a project into a copy of it, and what hooks say about the copy back to the project. */
export class MovedPaths {
  readonly #from: string;
  readonly #to: string;

  /** Both absolute and without links. */
  constructor(from: string, to: string) {
    this.#from = from;
    this.#to = to;
  }

  /** Only whole values of fields that hold paths: text that mentions a path stays what somebody wrote. */
  input(recorded: Fields): Fields {
    const moved = this.#fields(recorded);
    const { cwd } = moved;
    // A project that was elsewhere when this was recorded: hooks must not go and work there.
    const isInside = typeof cwd === "string" && isBelow(cwd, this.#to);
    return isInside ? moved : { ...moved, cwd: this.#to };
  }

  verdict({ reason, rewrites, failures, ...rest }: Verdict): Verdict {
    return {
      ...rest,
      reason: reason === undefined ? undefined : this.#textBack(reason),
      rewrites: rewrites.map(({ path, before, after, hook }) => ({
        path,
        before: this.#back(before),
        after: this.#back(after),
        hook,
      })),
      failures: this.notes(failures),
    };
  }

  notes(notes: readonly HookNote[]): readonly HookNote[] {
    return notes.map(({ hook, what }) => ({ hook, what: this.#textBack(what) }));
  }

  #fields(fields: Fields): Fields {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, this.#value(value, HOLDS_PATHS.test(key))]),
    );
  }

  #value(value: unknown, isPath: boolean): unknown {
    if (typeof value === "string") return isPath ? this.#path(value) : value;
    if (Array.isArray(value)) return value.map((item) => this.#value(item, isPath));
    return isFields(value) ? this.#fields(value) : value;
  }

  #path(path: string): string {
    return isBelow(path, this.#from) ? this.#to + path.slice(this.#from.length) : path;
  }

  #back(value: unknown): unknown {
    if (typeof value === "string") return this.#textBack(value);
    if (Array.isArray(value)) return value.map((item) => this.#back(item));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#back(inner)]));
  }

  #textBack(text: string): string {
    return text.replaceAll(this.#to, () => this.#from);
  }
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
