import { type ProgramCode, ProgramError } from "../errors.ts";

interface ModelFacts {
  readonly code?: ProgramCode;
  readonly what: string;
  readonly next?: string;
  /** Whether a retry of the same request may succeed. */
  readonly isTransient?: boolean;
  /** The wait that the server asks for. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A model did not answer completely. */
export class ModelError extends ProgramError {
  readonly isTransient: boolean;
  readonly retryAfterMs: number | undefined;

  constructor({ isTransient = false, retryAfterMs, code = "MODEL_FAILED", ...facts }: ModelFacts) {
    super({ code, ...facts });
    this.name = "ModelError";
    this.isTransient = isTransient;
    this.retryAfterMs = retryAfterMs;
  }
}
