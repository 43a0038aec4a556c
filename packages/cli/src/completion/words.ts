import { EVENT_NAMES } from "../project/eventNamed.ts";
import type { Command, Completes, Entry, Option } from "../terminal/command.ts";

const EVERYWHERE: readonly Option[] = [
  { flags: "--json", description: "print JSON" },
  { flags: "--help", description: "show help" },
];

/** The parts of a command that completion needs. */
export type Completed = Pick<Command, "name" | "summary" | "options" | "parameters">;

/** For a group, offers the names of its commands and the options of all of them. */
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

/** Returns `--input` for `--input <file>`. */
export function longFlag({ flags }: Option): string {
  return /--[\w-]+/.exec(flags)?.[0] ?? flags;
}

/** The completion of a command's first parameter; others are free text or of the same type. */
export function completesOf({ parameters: [first] }: Completed): Completes {
  return first?.completes ?? [];
}

/** The fixed words of a completion; empty if it has none. */
export function fixedWords(completes: Completes): readonly string[] {
  if (completes === "events") return EVENT_NAMES;
  if (typeof completes === "function") return completes();
  return typeof completes === "string" ? [] : completes;
}
