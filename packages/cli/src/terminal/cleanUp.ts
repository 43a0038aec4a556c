const pending = new Set<() => void>();

/** Cleans up when the returned function is called, or at exit at the latest: after a second Ctrl-C, only exit handlers run. */
export function cleanUpAtExit(cleanUp: () => void): () => void {
  pending.add(cleanUp);
  process.once("exit", cleanUp);
  return () => {
    pending.delete(cleanUp);
    process.off("exit", cleanUp);
    cleanUp();
  };
}

/** Whether a signal that kills the program now would leave something behind. */
export function mustCleanUp(): boolean {
  return pending.size > 0;
}
