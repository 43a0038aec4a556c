import { existsSync } from "node:fs";
import { isFields } from "../hooktest/fields.ts";
import type { Fields } from "../project/eventInput.ts";
import { isBelow, Relocation } from "../sandbox/relocation.ts";
import type { HookNote, Verdict } from "./verdict.ts";

/** Fields that hold paths, by the ends of their names: file_path, dir_path, transcript_path, absolutePath, changed_paths, … */
const HOLDS_PATHS = /(?:cwd|root|paths?|files?|dirs?|director(?:y|ies)|folders?)$/i;

/** All absolute and without links. */
interface Places {
  /** The project that the events are of. */
  readonly project: string;
  /** The one whose hooks are run; often the same. */
  readonly hookSet: string;
  /** Of the hook set. */
  readonly copy: string;
}

/** Leads recorded paths of a project into a copy of it, and what hooks say about the copy back to the project. */
export class MovedPaths {
  /** For what hooks start, too. */
  readonly relocation: Relocation;
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
    this.relocation = new Relocation([places.project, places.hookSet], places.copy);
  }

  /** Only whole values: text that mentions a path stays what somebody wrote. */
  input(recorded: Fields): Fields {
    const moved = this.#fields(recorded);
    const { copy } = this.#places;
    const { cwd } = moved;
    // A project that was elsewhere when this was recorded: hooks must not go and work there.
    const isInside = typeof cwd === "string" && isBelow(cwd, copy);
    return isInside ? moved : { ...moved, cwd: copy };
  }

  /** As it would have been recorded; how hooks fail is about the folder that they were taken from. */
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

  /** A sentence or a command may begin with a path: with blanks in it, it is one only where its field or the disk says so. */
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
