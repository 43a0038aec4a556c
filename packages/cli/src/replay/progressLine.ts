import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";

const EVERY_MS = 500;

/** Shows a progress line on a terminal while `work` runs, and erases it afterwards. */
export async function withProgressLine<T>(io: Io, what: () => string, work: () => Promise<T>): Promise<T> {
  if (!io.stderrIsTTY) return work();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    io.stderr(`\r\u001b[K${colours(io).dim(`${what()}…`)}`);
  }, EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (isShown) io.stderr("\r\u001b[K");
  }
}
