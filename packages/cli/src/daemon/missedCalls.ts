import { readOwnTail } from "@hookline/journal/program";

/** A call that the client had no answer for, and what it did. */
export interface MissedCall {
  readonly at: number;
  readonly host: string;
  readonly event: string;
  readonly wasRefused: boolean;
  readonly why: string;
  readonly folder: string;
}

const MOST_BYTES = 64 * 1024;

/** The newest lines of `run/missed`, which the client writes: time in ms, host, event, what it did, why, folder. */
export function missedCalls(file: string): readonly MissedCall[] {
  return textOf(file)
    .split("\n")
    .flatMap((line) => {
      const [at = "", host, event, did, why, folder = ""] = line.split("\t");
      if (!/^\d+$/.test(at) || host === undefined || event === undefined || why === undefined) return [];
      return [{ at: Number(at), host, event, wasRefused: did === "refused", why, folder: unescaped(folder) }];
    });
}

function unescaped(text: string): string {
  return text.replaceAll(/\\./g, (pair) => (pair === "\\n" ? "\n" : pair === "\\t" ? "\t" : pair.slice(1)));
}

function textOf(file: string): string {
  try {
    return readOwnTail(file, MOST_BYTES);
  } catch {
    return ""; // nothing was missed
  }
}
