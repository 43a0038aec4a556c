import { existsSync, lstatSync, readFileSync } from "node:fs";
import { replaceOwnFile } from "@hookline/journal/program";
import { type ClosedEntry, closedText, readClosed } from "./closedFile.ts";
import type { ServedProject } from "./servedProject.ts";

/** Keeps `run/closed` true: what must not pass if the client gets no answer. */
export class ClosedKeeper {
  readonly #file: string;
  readonly #onNotice: (text: string) => void;
  readonly #written = new WeakMap<ServedProject, unknown>();

  constructor(file: string, onNotice: (text: string) => void) {
    this.#file = file;
    this.#onNotice = onNotice;
  }

  /** Call it whenever the settings of a project have been read. */
  update(served: ServedProject): void {
    const { loaded } = served;
    if (this.#written.get(served) === loaded && existsSync(this.#file)) return;
    const wanted = closedEntries(served);
    const others = this.#read().filter(({ folder }) => folder !== "/" && folder !== served.root && isFolder(folder));
    const text = closedText([...others, ...wanted]);
    try {
      if (text !== this.#text()) replaceOwnFile(this.#file, text);
      this.#written.set(served, loaded);
    } catch (error) {
      // Guards run all the same. Tried again at the next call.
      this.#onNotice(`${this.#file} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  }

  #read(): readonly ClosedEntry[] {
    return readClosed(this.#text() ?? "") ?? [];
  }

  #text(): string | undefined {
    try {
      return readFileSync(this.#file, "utf8");
    } catch {
      return undefined; // not there yet: without it, the client refuses everything
    }
  }
}

/** Hooks that fail closed, also those that cannot run because their declaration is wrong. */
function closedEntries({ project, root }: ServedProject): readonly ClosedEntry[] {
  const declared = project.system
    .getRegistry()
    .getAllHooks()
    .map(({ config }) => config);
  return declared
    .filter(({ onError, mode, off }) => onError === "block" && mode === "enforce" && (!off || off.kind === "broken"))
    .map(({ eventName, source }) => ({ event: eventName, folder: source === "project" ? root : "/" }));
}

/** Projects come and go; the file would only grow. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true; // no access: it may be there
  }
}
