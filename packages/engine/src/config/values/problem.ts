import { ADVICE, type ErrorCode, type Place } from "../../errors.ts";

/** A finding about the configuration. Errors disable what they name; warnings do not. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** From the engine's table, or from the program that defines the kind. */
  readonly code: string;
  readonly where: Place;
  readonly what: string;
  readonly next: string;
}

/** What is wrong, and what to do about it, before it has a place and a code. */
export type ProblemText = Pick<Problem, "what" | "next">;

interface Facts {
  readonly code: ErrorCode;
  readonly where: Place;
  readonly what: string;
  readonly next?: string | undefined;
}

export type Report = (problem: Problem) => void;

export function fault({ code, where, what, next = ADVICE[code] }: Facts): Problem {
  return { severity: "error", code, where, what, next };
}

export function doubt({ where, what, next = ADVICE.CONFIG_DOUBTFUL }: Omit<Facts, "code">): Problem {
  return { severity: "warning", code: "CONFIG_DOUBTFUL", where, what, next };
}

/** An unreadable entry; the hook it belongs to continues with the rest. */
export function invalid(where: Place, what: string, next?: string): Problem {
  return fault({ code: "CONFIG_INVALID", where, what, next });
}
