import { colours } from "./colour.ts";
import type { Io } from "./io.ts";

const PATIENCE_MS = 500;

/** On a terminal, shows a progress line for slow work and erases it afterwards. */
export async function withProgress<T>(io: Io, what: () => string, work: Promise<T>): Promise<T> {
  if (!io.stderrIsTTY) return work;
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    io.stderr(colours(io).dim(`${what()}…`));
  }, PATIENCE_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isShown) io.stderr("\r\u001b[K");
  }
}
