import type { Place } from "../../errors.ts";

/** The declarations whose files were found unchanged in this turn of the event loop. */
export class LooksOfThisTurn {
  readonly #places = new Set<Place>();

  has(place: Place): boolean {
    return this.#places.has(place);
  }

  add(place: Place): void {
    if (this.#places.size === 0) setImmediate(this.#forget).unref();
    this.#places.add(place);
  }

  delete(place: Place): void {
    this.#places.delete(place);
  }

  readonly #forget = (): void => this.#places.clear();
}
