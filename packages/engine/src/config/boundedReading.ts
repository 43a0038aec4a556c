/** At once, over all files of all layers. */
const MAX_OPEN = 16;
/** For all files of one reading together. */
const PATIENCE_MS = 5_000;
const PAUSE_MS = 25;

/** Maps in the given order, with a bounded number under way, so that many files cannot use up the file descriptors. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  // One iterator for all: each takes the next item when it is done with its last.
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: MAX_OPEN }, work));
  return results;
}

/** Waits for file descriptors that others use up, within one budget for all attempts. */
export class DescriptorWait {
  #leftMs = PATIENCE_MS;

  async attempt<Result>(open: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await open();
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
