import { HooklineError } from "@hookline/engine";
import { didYouMean, readDuration } from "@hookline/engine/program";

export function textIn(options: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

export function oneOf<Value extends string>(given: string, known: readonly Value[], flag: string): Value {
  const found = known.find((value) => value === given);
  if (found !== undefined) return found;
  const what = `${flag} is ${JSON.stringify(given)}; it can be ${known.join(", ")}.${didYouMean(given, known)}`;
  throw new HooklineError({ code: "OPTION_INVALID", what });
}

export function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const read = readDuration(text);
  if ("ms" in read) return read.ms;
  throw new HooklineError({ code: "OPTION_INVALID", what: `--timeout ${JSON.stringify(text)} ${read.error}.` });
}
