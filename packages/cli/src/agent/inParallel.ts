/** Works on at most `most` items at once and returns all results in order. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  most: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const loops = Array.from({ length: Math.min(most, items.length) }, async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  });
  await Promise.all(loops);
  return results;
}
