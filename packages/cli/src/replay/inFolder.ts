/**
 * Works with another working folder: plugins run in this process, and what they name relatively shall not be in the project. Nothing
 * else may go by the working folder meanwhile.
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
