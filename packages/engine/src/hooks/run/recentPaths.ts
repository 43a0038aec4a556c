import { type PathStamps, pathStamps } from "../../config/trust/pathStamps.ts";

interface Look {
  readonly stamps: PathStamps;
  readonly atMs: number;
}

/** Short, because a folder that a person moves away and back between two runs looks as if it was swapped during the second. */
const LOOK_LASTS_MS = 1_000;

/** The check of a path after one run also serves as the check before the next: events come in bursts, and one stat per folder adds up. */
export class RecentPaths {
  readonly #looks = new WeakMap<readonly string[], Look>();

  of(files: readonly string[]): PathStamps | undefined {
    const look = this.#looks.get(files);
    return look && performance.now() - look.atMs < LOOK_LASTS_MS ? look.stamps : pathStamps(files);
  }

  keep(files: readonly string[], stamps: PathStamps | undefined): void {
    if (stamps) this.#looks.set(files, { stamps, atMs: performance.now() });
    else this.forget(files);
  }

  /** The files changed and were admitted again: earlier moves no longer matter. */
  forget(files: readonly string[]): void {
    this.#looks.delete(files);
  }
}
