import { setTimeout } from "node:timers/promises";
import type { Failure } from "../answer/answer.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookRun } from "../handlers/handler.ts";

const PAUSES_MS = [100, 200, 400];
/** Failures that are not retried: the time is up, or it was not the hook that failed. */
const FINAL: ReadonlySet<Failure["kind"]> = new Set<Failure["kind"]>(["timedOut", "aborted", "noCapacity", "disposed"]);

export interface Attempts {
  readonly start: () => Promise<Ending> | Ending;
  /** The failure of a run without an answer; undefined if it answered. */
  readonly failureOf: (ending: Ending) => Failure | undefined;
  readonly onRetry: (failure: Failure) => void;
}

/** Retries a hook that failed without an answer, up to its limit and within its timeout. */
export async function withRetries(run: HookRun, { start, failureOf, onRetry }: Attempts): Promise<Ending> {
  const { retries = 0 } = run.hook.config;
  let waitedMs = 0;
  for (let attempt = 0; ; attempt += 1) {
    run.waitedMs = 0;
    const ending = await start();
    waitedMs += run.waitedMs;
    run.waitedMs = waitedMs;
    const pauseMs = PAUSES_MS[attempt];
    if (attempt >= retries || pauseMs === undefined) return ending;
    const failure = failureOf(ending);
    if (failure === undefined || FINAL.has(failure.kind)) return ending;
    run.timeoutMs = run.limitMs - (performance.now() - run.startedAt - waitedMs) - pauseMs;
    if (run.timeoutMs <= 0) return ending;
    onRetry(failure);
    await setTimeout(pauseMs, undefined, run.signal ? { signal: run.signal } : {}).catch(() => {}); // after an abort, the next start ends immediately
  }
}
