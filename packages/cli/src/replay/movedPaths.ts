import { existsSync } from "node:fs";
import { type Fields, isFields } from "@hookline/engine/program";
import { isBelow, Relocation } from "../sandbox/relocation.ts";
import type { HookNote, Verdict } from "./verdict.ts";

/** Names of fields that hold paths: file_path, dir_path, transcript_path, absolutePath, changed_paths, … */
const HOLDS_PATHS = /(?:cwd|root|paths?|files?|dirs?|director(?:y|ies)|folders?)$/i;

/** Absolute paths without links. */
interface Places {
  /** The project whose events were recorded. */
  readonly project: string;
  /** The project whose hooks run; often the same. */
  readonly hookSet: string;
  /** The copy of the hook set. */
  readonly copy: string;
}

/** Rewrites recorded project paths to the copy, and paths in the answers of hooks back to the project. */
export class MovedPaths {
  /** Also used for the programs that hooks start. */
  readonly relocation: Relocation;
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
    this.relocation = new Relocation([places.project, places.hookSet], places.copy);
  }

  /** Rewrites whole values only: text that merely mentions a path stays unchanged. */
  input(recorded: Fields): Fields {
    const moved = this.#fields(recorded);
    const { copy } = this.#places;
    const { cwd } = moved;
    // The project was elsewhere when this was recorded: hooks must not work there.
    const isInside = typeof cwd === "string" && isBelow(cwd, copy);
    return isInside ? moved : { ...moved, cwd: copy };
  }

  /** The verdict as it would have been recorded. Failures mention the folder that the hooks were copied from. */
  verdict({ reason, rewrites, failures, ...rest }: Verdict): Verdict {
    return {
      ...rest,
      reason: reason === undefined ? undefined : this.#textBack(reason, this.#places.project),
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
    return notes.map(({ hook, what }) => ({ hook, what: this.#textBack(what, this.#places.hookSet) }));
  }

  #fields(fields: Fields): Fields {
    return Object.fromEntries(
      Object.entries(fields).map(([key, value]) => [key, this.#value(value, HOLDS_PATHS.test(key))]),
    );
  }

  #value(value: unknown, isPath: boolean): unknown {
    if (typeof value === "string") return this.#text(value, isPath);
    if (Array.isArray(value)) return value.map((item) => this.#value(item, isPath));
    return isFields(value) ? this.#fields(value) : value;
  }

  /** A sentence or a command can begin with a path: text with blanks is a path only if its field name or the disk says so. */
  #text(text: string, isPath: boolean): string {
    const moved = this.relocation.path(text);
    const hasBlanks = moved !== text && /\s/.test(moved.slice(this.#places.copy.length));
    return isPath || !hasBlanks || existsSync(text) ? moved : text;
  }

  #back(value: unknown): unknown {
    if (typeof value === "string") return this.#textBack(value, this.#places.project);
    if (Array.isArray(value)) return value.map((item) => this.#back(item));
    if (!isFields(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#back(inner)]));
  }

  #textBack(text: string, to: string): string {
    return text.replaceAll(this.#places.copy, () => to);
  }
}
