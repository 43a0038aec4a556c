import type { AbortSource } from "./abortSource.ts";
import type { NoCapacity, ProcessEnding } from "./ending.ts";
import type { ProcessSlots } from "./processSlots.ts";
import { isShortage, Patience } from "./shortage.ts";

export interface WaitedFor {
  readonly ending: ProcessEnding | NoCapacity;
  /** The wait before the start. */
  readonly waitedMs: number;
}

/** Runs a process once there are a slot, descriptors and memory for it. */
export async function runWhenPossible(
  run: () => Promise<ProcessEnding>,
  slots: ProcessSlots,
  signal: AbortSource,
): Promise<WaitedFor> {
  const patience = new Patience(slots.patienceMs, signal);
  if (!slots.tryTake() && !(await slots.take(patience))) return notStarted(patience, new Error(ALL_TAKEN));
  try {
    for (;;) {
      const { waitedMs } = patience;
      const ending = await run();
      if (ending.kind !== "notStarted" || !isShortage(ending.cause)) return { ending, waitedMs };
      if (!(await patience.pause())) return notStarted(patience, ending.cause);
    }
  } finally {
    slots.release();
  }
}

const ALL_TAKEN = "as many hook processes as may run at once (4 times maxParallel) are running";

function notStarted({ signal, waitedMs }: Patience, cause: Error): WaitedFor {
  if (!signal?.aborted) return { ending: { kind: "noCapacity", afterMs: Math.round(waitedMs), cause }, waitedMs };
  const nothing = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };
  return { ending: { kind: "aborted", ...nothing }, waitedMs };
}
