import type { Captured, NoCapacity, ProcessEnding, WorkerEnding } from "../../process/ending.ts";

/** How one run of a hook of any kind ended: a process, an in-process function, a worker, an endpoint. */
export type Ending =
  | ProcessEnding
  | NoCapacity
  | { readonly kind: "returned"; readonly value: unknown }
  | { readonly kind: "threw"; readonly error: unknown }
  /** It blocked the thread beyond its timeout and answered only then. */
  | { readonly kind: "overran"; readonly afterMs: number; readonly value: unknown }
  | WorkerEnding
  /** An endpoint answered; the body keeps at most `outputLimit` bytes. */
  | {
      readonly kind: "responded";
      readonly status: number;
      readonly body: string;
      readonly truncated: false | "tooLong" | "brokeOff";
    };

export const NOTHING_CAPTURED: Captured = { stdout: "", stderr: "", stdoutTruncated: false, stderrTruncated: false };
