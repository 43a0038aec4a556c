/** A run that can be aborted. */
export interface Abortable {
  abort(): void;
}

/** The runs in progress, so that `dispose()` can end them. A run that begins after that ends immediately. */
export class OpenRuns {
  readonly #runs = new Set<Abortable>();
  #closed = false;

  get isClosed(): boolean {
    return this.#closed;
  }

  add(run: Abortable): void {
    if (this.#closed) run.abort();
    else this.#runs.add(run);
  }

  delete(run: Abortable): void {
    this.#runs.delete(run);
  }

  close(): void {
    this.#closed = true;
    for (const run of this.#runs) run.abort();
    this.#runs.clear();
  }
}
