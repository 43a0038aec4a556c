const pending = new Set<() => void>();

/** Cleans up when the returned function is called, or at the latest when the program exits: after a second Ctrl-C only this is still done. */
export function cleanUpAtExit(cleanUp: () => void): () => void {
  pending.add(cleanUp);
  process.once("exit", cleanUp);
  return () => {
    pending.delete(cleanUp);
    process.off("exit", cleanUp);
    cleanUp();
  };
}

/** Whether something would be left behind if a signal killed the program now. */
export function mustCleanUp(): boolean {
  return pending.size > 0;
}
