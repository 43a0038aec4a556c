import { mustCleanUp } from "./cleanUp.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does work during which a signal kills the program. A listener is called between two pieces of work only, and to read a large
 * settings file is one long piece. While something must be cleaned up, signals stay handled.
 */
export async function endAtOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  if (mustCleanUp()) return work();
  const removed = SIGNALS.flatMap((signal) => process.listeners(signal).map((listener) => ({ signal, listener })));
  for (const { signal, listener } of removed) process.removeListener(signal, listener);
  try {
    return await work();
  } finally {
    for (const { signal, listener } of removed) process.on(signal, listener);
  }
}
