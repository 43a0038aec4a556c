import { isMoved, type PathStamps, pathStamps } from "../config/pathStamps.ts";

/**
 * The files that a hook is started or loaded from. Made right before the start; the first answer settles whether another program swapped
 * them meanwhile. A process or module that stays shares one object among its runs.
 */
export class StartedFiles {
  readonly #path: PathStamps;
  #state: "open" | "same" | "swapped" = "open";

  constructor(files: readonly string[] = []) {
    this.#path = pathStamps(files);
  }

  /** Nothing more can change what runs: it is in memory. */
  get areSettled(): boolean {
    return this.#state === "same";
  }

  get areSwapped(): boolean {
    return this.#state === "swapped";
  }

  /** The path comes after the files: a folder put back in between would have shown the right file, and is noticed here. */
  settle(areFilesSame: () => boolean): void {
    if (this.#state === "open") this.#state = areFilesSame() && !isMoved(this.#path) ? "same" : "swapped";
  }
}

export const NO_FILES = new StartedFiles();
NO_FILES.settle(() => true);
