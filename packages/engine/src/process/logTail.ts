const KEPT_BYTES = 8 * 1024;

/** The end of a long-lived process's log, limited in size. */
export class LogTail {
  #text = "";
  /** Count of all bytes ever logged, so that a reader can ask for what came since. */
  #total = 0;

  get position(): number {
    return this.#total;
  }

  addChunk(chunk: Buffer): void {
    this.add(chunk.toString("utf8", Math.max(0, chunk.length - KEPT_BYTES)));
  }

  add(text: string): void {
    this.#total += text.length;
    this.#text = (this.#text + text).slice(-KEPT_BYTES);
  }

  since(position: number): string {
    const fresh = this.#total - position;
    return fresh <= 0 ? "" : this.#text.slice(-fresh);
  }
}
