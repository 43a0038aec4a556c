/** Formatting a date costs more than matching an event; within a second only the milliseconds change. */
export class IsoClock {
  #at = 0;
  #second = -1;
  #upToSecond = "";
  #text = "";

  now(): string {
    const at = Date.now();
    if (at === this.#at) return this.#text;
    this.#at = at;
    const second = Math.floor(at / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#upToSecond = new Date(at).toISOString().slice(0, -"000Z".length);
    }
    this.#text = `${this.#upToSecond}${String(1_000 + (at % 1_000)).slice(1)}Z`;
    return this.#text;
  }
}
