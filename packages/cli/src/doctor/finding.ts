import type { Place } from "@hookline/engine/program";

/** One thing that was looked at, in one line. */
export type Finding = Fine | Trouble;

export interface Fine {
  readonly severity: "ok";
  readonly what: string;
  readonly where?: Place;
}

export interface Trouble {
  /** An error: something does not work. A warning: somebody should look. */
  readonly severity: "warning" | "error";
  readonly what: string;
  readonly where?: Place;
  /** The way out: a command to type, or a thing to change. */
  readonly next: string;
  /** What a person must say yes to, at a terminal, before it is repaired. */
  readonly question?: string;
  /** Where it can be repaired without losing anything. It says what it did, and throws where it could not. */
  readonly fix?: () => Promise<string>;
}

interface Facts {
  readonly what: string;
  readonly next: string;
  readonly file?: string;
  readonly question?: string;
  readonly fix?: () => Promise<string>;
}

export function ok(what: string, file?: string): Fine {
  return { severity: "ok", what, ...(file === undefined ? {} : { where: { file } }) };
}

export function warning(facts: Facts): Trouble {
  return { severity: "warning", ...placed(facts) };
}

export function error(facts: Facts): Trouble {
  return { severity: "error", ...placed(facts) };
}

function placed({ file, ...facts }: Facts): Omit<Trouble, "severity"> {
  return { ...facts, ...(file === undefined ? {} : { where: { file } }) };
}

export function isTrouble(finding: Finding): finding is Trouble {
  return finding.severity !== "ok";
}

export function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
