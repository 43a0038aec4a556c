import type { HookAnswer } from "./wire.ts";

/** How long after a call the same one again is its double. */
const SAME_MS = 10_000;

/** The answers of the last seconds: an agent that reads two settings files may ask twice about one thing it does. */
export class RecentAnswers {
  readonly #answers = new Map<string, Promise<HookAnswer>>();

  of(identity: string, answer: () => Promise<HookAnswer>): Promise<HookAnswer> {
    const known = this.#answers.get(identity);
    if (known) return known;
    const answering = answer();
    this.#answers.set(identity, answering);
    setTimeout(() => this.#answers.delete(identity), SAME_MS).unref();
    return answering;
  }
}
