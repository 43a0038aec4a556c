/** Resolves to the value, unless the signal is aborted first: then rejects with the signal's reason and drops the value. */
export function orAborted<T>(value: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  const promised = Promise.resolve(value);
  if (!signal) return promised;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    promised.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
