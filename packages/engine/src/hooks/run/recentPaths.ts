import { type PathStamps, pathStamps } from "../../config/trust/pathStamps.ts";

interface Look {
  readonly stamps: PathStamps;
  readonly atMs: number;
}

/** Short, because a folder that a person moves away and back between two runs is taken for one that was exchanged during the second. */
const LOOK_LASTS_MS = 1_000;

/** The look at a path after one run is also the look before the next one: events come in bursts, and a look per folder adds up. */
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

  /** The files changed and were let through again: whatever moved, moved before. */
  forget(files: readonly string[]): void {
    this.#looks.delete(files);
  }
}
