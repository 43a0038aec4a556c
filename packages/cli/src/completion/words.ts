import type { Command, Completes, Option } from "../commands/command.ts";
import { EVENT_NAMES } from "../eventNamed.ts";

const EVERYWHERE: readonly Option[] = [
  { flags: "--json", description: "print JSON" },
  { flags: "--help", description: "show help" },
];

export function optionsOf({ options }: Command): readonly Option[] {
  return [...options, ...EVERYWHERE];
}

/** `--input <file>` → `--input`. */
export function longFlag({ flags }: Option): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** What the first parameter of a command takes; the further ones are free text, or more of the same. */
export function completesOf({ parameters: [first] }: Command): Completes {
  return first?.completes ?? [];
}

/** Fixed words, where there are any. */
export function fixedWords(completes: Completes): readonly string[] {
  if (completes === "events") return EVENT_NAMES;
  return typeof completes === "string" ? [] : completes;
}
