import type { Place } from "@hookline/engine/program";

/** The result of one check, in one line. */
export type Finding = Fine | Trouble;

export interface Fine {
  readonly severity: "ok";
  readonly what: string;
  readonly where?: Place;
}

export interface Trouble {
  /** An error: something does not work. A warning: worth a look. */
  readonly severity: "warning" | "error";
  readonly what: string;
  readonly where?: Place;
  /** Advice: a command to type or a thing to change. */
  readonly next: string;
  /** Question the user must confirm at a terminal before the repair. */
  readonly question?: string;
  /** Present if it can be repaired without losing anything. Returns what it did, and throws if it fails. */
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
