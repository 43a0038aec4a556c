import { HEARTBEAT_MS } from "./store/lease.ts";
import type { TaskStore } from "./store/taskStore.ts";

interface Held {
  readonly key: string;
  readonly owner: string;
}

/** Renews a lease until stopped. If the store cannot be written to, the run continues. */
export function keepLease(store: TaskStore, { key, owner }: Held, onNotice: (text: string) => void): () => void {
  let isTold = false;
  const beat = async () => {
    try {
      await store.heartbeat(key, owner);
    } catch (error) {
      if (!isTold)
        onNotice(`The task ${key} continues, but other processes may consider it interrupted: ${String(error)}`);
      isTold = true;
    }
  };
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
