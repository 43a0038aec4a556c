import type { Completes } from "../terminal/command.ts";
import { type Completed, completesOf, fixedWords, longFlag, optionsOf } from "./words.ts";

export function fish(commands: readonly Completed[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const first = commands.map(
    ({ name, summary }) =>
      `complete -c hookline -n 'not __fish_seen_subcommand_from ${names}' -a ${name} -d ${quoted(summary)}`,
  );
  return `${["# hookline completion for fish", "complete -c hookline -f", ...first, ...commands.flatMap(lines)].join("\n")}\n`;
}

function lines(command: Completed): string[] {
  const seen = `complete -c hookline -n '__fish_seen_subcommand_from ${command.name}'`;
  const words = source(completesOf(command));
  return [
    ...optionsOf(command).map((option) => `${seen} -l ${longFlag(option).slice(2)} -d ${quoted(option.description)}`),
    ...(words === undefined ? [] : [`${seen} ${words}`]),
  ];
}

function source(completes: Completes): string | undefined {
  if (completes === "hooks") return `-a '(hookline __complete hooks 2>/dev/null)'`;
  if (completes === "files") return "-F";
  if (completes === "folders") return `-a '(__fish_complete_directories)'`;
  const words = fixedWords(completes);
  return words.length === 0 ? undefined : `-a ${quoted(words.join(" "))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
