import { type ProgramCode, ProgramError } from "../errors.ts";

interface ModelFacts {
  readonly code?: ProgramCode;
  readonly what: string;
  readonly next?: string;
  /** Whether the same request may well succeed a little later. */
  readonly isTransient?: boolean;
  /** What the server asks us to wait. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/** A model did not answer, or not to the end. */
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
