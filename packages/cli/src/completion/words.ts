import { EVENT_NAMES } from "../project/eventNamed.ts";
import type { Command, Completes, Entry, Option } from "../terminal/command.ts";

const EVERYWHERE: readonly Option[] = [
  { flags: "--json", description: "print JSON" },
  { flags: "--help", description: "show help" },
];

/** A command as a shell completes it. */
export type Completed = Pick<Command, "name" | "summary" | "options" | "parameters">;

/** Of a group the names of its commands are offered, and the options of all of them. */
export function completed(entry: Entry): Completed {
  if (!("commands" in entry)) return entry;
  const { name, summary, commands } = entry;
  const options = new Map(commands.flatMap((command) => command.options.map((option) => [option.flags, option])));
  const completes = commands.map((command) => command.name);
  return {
    name,
    summary,
    options: [...options.values()],
    parameters: [{ name: "command", description: "", completes }],
  };
}

export function optionsOf({ options }: Completed): readonly Option[] {
  return [...options, ...EVERYWHERE];
}

/** `--input <file>` → `--input`. */
export function longFlag({ flags }: Option): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** What the first parameter of a command takes; the further ones are free text, or more of the same. */
export function completesOf({ parameters: [first] }: Completed): Completes {
  return first?.completes ?? [];
}

/** Fixed words, where there are any. */
export function fixedWords(completes: Completes): readonly string[] {
  if (completes === "events") return EVENT_NAMES;
  if (typeof completes === "function") return completes();
  return typeof completes === "string" ? [] : completes;
}
