import type { Ending } from "./ending.ts";

/** Typical messages of programs that lack a credential. */
const SUGGESTS =
  /unauthori[sz]ed|unauthenticated|authenticat|forbidden|credential|permission denied|access denied|not logged in|api[ _-]?key|\btoken\b|\b40[13]\b/i;
/** How much of the start and the end of an output to search; a hook may print a megabyte. */
const LOOKED_AT = 8 * 1024;

/**
 * A note for the person: the hook may need variables that were withheld from it. Only if its own output names one of them
 * or mentions missing permissions. Never part of a reason: the model must not learn the names.
 */
export function withheldHint(ending: Ending, withheld: readonly string[]): string | undefined {
  if (withheld.length === 0) return undefined;
  const text = outputOf(ending);
  if (text === "") return undefined;
  const words = new Set(text.match(/\w+/g));
  const named = withheld.filter((name) => words.has(name));
  if (named.length === 0 && !SUGGESTS.test(text)) return undefined;
  const names = (named.length > 0 ? named : withheld).join(", ");
  return `withheld from its environment: ${names}; if it needs one, name it in passEnv`;
}

function outputOf(ending: Ending): string {
  const texts = [
    "stdout" in ending ? ending.stdout : "",
    "stderr" in ending ? ending.stderr : "",
    "message" in ending ? ending.message : "",
  ];
  return texts.map(ends).filter(Boolean).join("\n");
}

function ends(text: string): string {
  return text.length <= 2 * LOOKED_AT ? text : `${text.slice(0, LOOKED_AT)}\n${text.slice(-LOOKED_AT)}`;
}
