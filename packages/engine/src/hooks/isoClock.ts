/** Formatting a date costs more than matching an event; within a millisecond the text is the same. */
export class IsoClock {
  #at = 0;
  #text = "";

  now(): string {
    const at = Date.now();
    if (at !== this.#at) {
      this.#at = at;
      this.#text = new Date(at).toISOString();
    }
    return this.#text;
  }
}
