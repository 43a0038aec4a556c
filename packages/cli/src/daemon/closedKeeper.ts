import { existsSync } from "node:fs";
import type { ClosedEntry } from "../project/closedFile.ts";
import { closedEntries, declaredIn, writeClosed } from "../project/closedGuards.ts";
import type { ServedProject } from "./servedProject.ts";

interface Written {
  readonly loaded: unknown;
  readonly entries: readonly ClosedEntry[];
}

/** Keeps `run/closed` true: what must not pass if the client gets no answer. */
export class ClosedKeeper {
  readonly #file: string;
  readonly #onNotice: (text: string) => void;
  readonly #written = new Map<ServedProject, Written>();

  constructor(file: string, onNotice: (text: string) => void) {
    this.#file = file;
    this.#onNotice = onNotice;
  }

  /** Call it whenever the settings of a project have been read. */
  update(served: ServedProject): void {
    const { loaded, root, project } = served;
    if (this.#written.get(served)?.loaded === loaded && existsSync(this.#file)) return;
    const entries = closedEntries(declaredIn(project.system), root);
    // Sessions of one project may have different guards: some began before a person trusted it.
    const ofOthers = [...this.#written].filter(([other]) => other !== served && other.root === root);
    const inRoot = ofOthers.flatMap(([, written]) => written.entries.filter(({ folder }) => folder === root));
    try {
      writeClosed(this.#file, ["/", root], [...inRoot, ...entries]);
      this.#written.set(served, { loaded, entries });
    } catch (error) {
      // Guards run all the same. Tried again at the next call.
      this.#onNotice(`${this.#file} cannot be written: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** It was closed. Its lines stay until the settings of its project are read again. */
  forget(served: ServedProject): void {
    this.#written.delete(served);
  }
}
