/**
 * Changes the working directory while `work` runs: plugins run in this process, and their relative paths must not lead into the
 * project. No other code may depend on the working directory during that time.
 */
export async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
  }
}
