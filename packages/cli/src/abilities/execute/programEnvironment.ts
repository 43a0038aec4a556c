import { scrubEnvironment } from "@hookline/engine/process";

interface Scrubbed {
  readonly env: Readonly<Record<string, string>>;
  /** Names of the removed variables. */
  readonly withheld: readonly string[];
}

/** The environment of programs: that of this process at its start, without credentials. */
export class ProgramEnvironment {
  /** Includes credentials; the caller decides which program receives one. */
  readonly all: Readonly<Record<string, string | undefined>>;
  /** Cached by the allowed names: checking every variable is a measurable part of the cost of a script. */
  readonly #scrubbed = new Map<string, Scrubbed>();

  constructor(parent: Readonly<Record<string, string | undefined>>) {
    this.all = { ...parent };
  }

  allowing(allowed: readonly string[]): Scrubbed {
    const key = allowed.join("\0");
    const known = this.#scrubbed.get(key);
    if (known) return known;
    const scrubbed = scrubEnvironment({ ...this.all }, allowed);
    this.#scrubbed.set(key, scrubbed);
    return scrubbed;
  }
}
