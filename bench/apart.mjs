import { Worker } from "node:worker_threads";

/**
 * An operation in a thread of its own: what one contender leaves behind for the garbage collector, or teaches the
 * compiler, must not be paid by another. `setup` names an export of `module` that answers the operation.
 */
export async function apart(module, setup, ...args) {
  const worker = new Worker(new URL("thread.mjs", import.meta.url), { workerData: { module, setup, args } });
  const answer = () =>
    new Promise((resolve, reject) => {
      worker.removeAllListeners().once("message", resolve).once("error", reject);
    });
  await answer();
  const timeBatch = (batch) => {
    worker.postMessage(batch);
    return answer();
  };
  return { timeBatch, close: () => worker.terminate() };
}

export async function timeHere(operation, batch) {
  const start = performance.now();
  for (let i = 0; i < batch; i++) await operation(i);
  return performance.now() - start;
}
