/** What a process wrote before it ended; each stream keeps at most `outputLimit` bytes. */
export interface Captured {
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes beyond the limit were drained and dropped. */
  readonly stdoutTruncated: boolean;
  readonly stderrTruncated: boolean;
}

/** How one process ended: exactly one is true, so exactly one can be written down. */
export type ProcessEnding =
  | ({ readonly kind: "exited"; readonly code: number; readonly leftBehind: boolean } & Captured)
  | ({ readonly kind: "killed"; readonly signal: NodeJS.Signals } & Captured)
  | ({ readonly kind: "timedOut"; readonly afterMs: number } & Captured)
  | ({ readonly kind: "aborted" } & Captured)
  | { readonly kind: "notStarted"; readonly cause: Error };

/** It waited this long for a slot, a descriptor or memory, and there was none. */
export interface NoCapacity {
  readonly kind: "noCapacity";
  readonly afterMs: number;
  readonly cause: Error;
}

/** How one request to a warm process ended, besides the endings that any process can have; `stderr`: what it logged meanwhile. */
export type WorkerEnding =
  | {
      readonly kind: "answered";
      readonly value: unknown;
      /** Fields that stand beside the output. */
      readonly beside: Readonly<Record<string, unknown>> | undefined;
      /** The line as it came. */
      readonly line: string;
      readonly stderr: string;
    }
  /** It answered that it failed; beside that, it may object. */
  | {
      readonly kind: "reported";
      readonly message: string;
      readonly line: string;
      readonly stderr: string;
    }
  /** Its answer is too long, breaks off, or is in the wrong form; the line may hold an objection. */
  | {
      readonly kind: "cutOff";
      readonly why: string;
      readonly line: string;
      readonly stderr: string;
    }
  /** It answered one request more than once; the answers, a line each. */
  | { readonly kind: "answeredTwice"; readonly stdout: string; readonly stderr: string }
  /** It ended before it answered. */
  | {
      readonly kind: "died";
      readonly how: string;
      readonly exitCode?: number;
      readonly signal?: NodeJS.Signals;
      readonly stderr: string;
    };
