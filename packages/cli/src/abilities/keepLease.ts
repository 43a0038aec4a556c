import { HEARTBEAT_MS } from "./store/lease.ts";
import type { TaskStore } from "./store/taskStore.ts";

interface Held {
  readonly key: string;
  readonly owner: string;
}

/** Gives signs of life until it is told to stop. That the store cannot be written to just now must not end a run. */
export function keepLease(store: TaskStore, { key, owner }: Held, onNotice: (text: string) => void): () => void {
  let isTold = false;
  const beat = async () => {
    try {
      await store.heartbeat(key, owner);
    } catch (error) {
      if (!isTold) onNotice(`The task ${key} runs on, but others may take it for interrupted: ${String(error)}`);
      isTold = true;
    }
  };
  const timer = setInterval(beat, HEARTBEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
