/** What a process wrote before it ended; each stream keeps at most `outputLimit` bytes. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes beyond the limit were drained and dropped. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** How one process ended: exactly one is true, so exactly one is recorded. */
export type ProcessEnding =
  | ({ readonly kind: "exited"; readonly code: number; readonly leftBehind: boolean } & Captured)
  | ({ readonly kind: "killed"; readonly signal: NodeJS.Signals } & Captured)
  | ({ readonly kind: "timedOut"; readonly afterMs: number } & Captured)
  | ({ readonly kind: "aborted" } & Captured)
  | { readonly kind: "notStarted"; readonly cause: Error };

/** It waited this long for a slot, a descriptor or memory, and got none. */
export interface NoCapacity {
  readonly kind: "noCapacity";
  readonly afterMs: number;
  readonly cause: Error;
}

/** How one request to a warm process ended, in addition to the endings of any process; `stderr`: what it logged since the request. */
export type WorkerEnding =
  | {
      readonly kind: "answered";
      readonly value: unknown;
      /** Fields next to the output. */
      readonly beside: Readonly<Record<string, unknown>> | undefined;
      /** The line as received. */
      readonly line: string;
      readonly stderr: string;
    }
  /** It answered that it failed; the answer may still object. */
  | {
      readonly kind: "reported";
      readonly message: string;
      readonly line: string;
      readonly stderr: string;
    }
  /** Its answer is too long, incomplete, or has the wrong form; the line may contain an objection. */
  | {
      readonly kind: "cutOff";
      readonly why: string;
      readonly line: string;
      readonly stderr: string;
    }
  /** It answered one request more than once; the answers, one line each. */
  | { readonly kind: "answeredTwice"; readonly stdout: string; readonly stderr: string }
  /** It ended before it answered. */
  | {
      readonly kind: "died";
      readonly how: string;
      readonly exitCode?: number;
      readonly signal?: NodeJS.Signals;
      readonly stderr: string;
    };
