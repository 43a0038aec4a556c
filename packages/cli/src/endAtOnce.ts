const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Does work during which a signal ends the program at once. A listener is called between two pieces of work only, and to
 * read a large settings file is one long piece; nothing has been started then that would have to be ended in order.
 */
export async function endAtOnce<Result>(work: () => Promise<Result>): Promise<Result> {
  const removed = SIGNALS.flatMap((signal) => process.listeners(signal).map((listener) => ({ signal, listener })));
  for (const { signal, listener } of removed) process.removeListener(signal, listener);
  try {
    return await work();
  } finally {
    for (const { signal, listener } of removed) process.on(signal, listener);
  }
}
