import { type PathStamps, pathStamps, stampsAgain } from "../../config/trust/pathStamps.ts";
import type { RecentPaths } from "./recentPaths.ts";

/**
 * The files that a hook is started or loaded from. Made right before the start; the first answer settles whether another program swapped
 * them meanwhile. What a process or module that stays was started from is one object, shared by all runs that it answers.
 */
export class StartedFiles {
  readonly #files: readonly string[];
  readonly #path: PathStamps | undefined;
  readonly #recent: RecentPaths | undefined;
  #state: "open" | "same" | "swapped";

  constructor(files: readonly string[] = NO_FILES, recent?: RecentPaths) {
    this.#files = files;
    this.#recent = recent;
    this.#path = recent ? recent.of(files) : pathStamps(files);
    this.#state = this.#path === undefined ? "swapped" : "open";
  }

  /** Nothing more can change what runs: it is in memory. */
  get areSettled(): boolean {
    return this.#state === "same";
  }

  get areSwapped(): boolean {
    return this.#state === "swapped";
  }

  /**
   * The path comes after the files: a folder put back in between would have shown the right file, and is noticed here. `hasAnswered`: what
   * was started has read its files by now, which one that is still starting, and was given up, has not.
   */
  settle(areFilesSame: () => boolean, hasAnswered: boolean): void {
    if (this.#state !== "open" || this.#path === undefined) return;
    const path = areFilesSame() ? stampsAgain(this.#path) : undefined;
    this.#recent?.keep(this.#files, path);
    if (path === undefined) this.#state = "swapped";
    else if (hasAnswered) this.#state = "same";
  }
}

const NO_FILES: readonly string[] = [];
