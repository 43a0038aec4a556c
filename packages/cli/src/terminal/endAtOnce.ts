import { mustCleanUp } from "./cleanUp.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does work during which a signal kills the program at once. Signal listeners run only between tasks of the event loop, and reading
 * a large settings file is one long task. While something needs cleaning up, the listeners stay.
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
