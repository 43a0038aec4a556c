import { scrubEnvironment } from "@hookline/engine/process";

interface Scrubbed {
  readonly env: Readonly<Record<string, string>>;
  /** Names of what was taken out. */
  readonly withheld: readonly string[];
}

/** What programs inherit: the variables of whoever runs them, as they were at its start, less credentials. */
export class ProgramEnvironment {
  /** Credentials included: who may have one is for the caller to decide. */
  readonly all: Readonly<Record<string, string | undefined>>;
  /** By the names that are allowed: to look at every variable is a measurable part of what a script costs. */
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
