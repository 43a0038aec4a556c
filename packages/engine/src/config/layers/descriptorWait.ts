/** Shared by all files of one load. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 25;

/** Retries while the process is out of file descriptors, within one time budget for all attempts. */
export class DescriptorWait {
  #leftMs = PATIENCE_MS;

  async attempt<Result>(open: () => Result): Promise<Result> {
    for (;;) {
      try {
        return open();
      } catch (error) {
        if (!isExhaustion(error) || this.#leftMs <= 0) throw error;
        this.#leftMs -= PAUSE_MS;
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }
  }
}

function isExhaustion(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EMFILE" || error.code === "ENFILE");
}
