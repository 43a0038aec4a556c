import { findInPath, isProgram } from "../process/findProgram.ts";
import { words } from "../process/shellCommand.ts";
import { interpretedBy } from "./interpreters.ts";

interface Finding {
  readonly what: string;
  readonly next: string;
}

/** Why a command whose files were found would not start all the same. */
export function commandDoubts(command: unknown, path: string): readonly Finding[] {
  if (typeof command !== "string") return [];
  const found = words(command);
  const program = found[0]?.word ?? "";
  const interpreter = interpretedBy(found)?.program.word ?? "";
  const needed = [...new Set([interpreter, ...(/(^|[\s;&|(`])jq(\s|$)/.test(command) ? ["jq"] : [])])];
  return [
    ...(program.startsWith("/") && !isProgram(program)
      ? [{ what: `${program} is not executable.`, next: `Run chmod +x ${program}.` }]
      : []),
    ...needed
      .filter((name) => name !== "" && !name.includes("/") && findInPath(name, path) === null)
      .map((name) => ({ what: `"${name}" is not in PATH.`, next: `Install ${name}, or write its full path.` })),
  ];
}
