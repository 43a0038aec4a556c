import { type PathStamps, pathStamps, stampsAgain } from "../../config/trust/pathStamps.ts";
import type { RecentPaths } from "./recentPaths.ts";

/**
 * The files that a hook is started or loaded from. Created right before the start; the first answer settles whether another program
 * swapped them. A long-lived process or module has one such object, shared by all runs that it answers.
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

  /** Nothing can change the running code any more: it is in memory. */
  get areSettled(): boolean {
    return this.#state === "same";
  }

  get areSwapped(): boolean {
    return this.#state === "swapped";
  }

  /**
   * Checks the path after the files: a folder that was put back in between would have shown the right file, and is noticed here.
   * `hasAnswered`: the started program has read its files, which one that timed out during its start has not.
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
