import { visible } from "../terminal/visible.ts";

const MOST = 5;

/** Prints the first few differences between copy and project, each once, and at the end the number of the rest. */
export class BoundedNotices {
  readonly #tell: (notice: string) => void;
  readonly #all = new Set<string>();

  constructor(tell: (notice: string) => void) {
    this.#tell = tell;
  }

  get all(): readonly string[] {
    return [...this.#all];
  }

  add(notice: string): void {
    if (!this.#all.has(notice) && this.#all.size < MOST) this.#tell(visible(notice));
    this.#all.add(notice);
  }

  end(): void {
    const more = this.#all.size - MOST;
    if (more > 0) this.#tell(`and ${more} more; --json lists all of them`);
  }
}
