import { entriesNamed, type Located } from "../values/located.ts";

const CLIENT = "/.hookline/bin/hookline-hook";
/** A word of a shell, with quotes. */
const FIRST_WORD = /^(?:'[^']*'|\\'|[^\s'\\])+/;

/**
 * Whether an entry is hookline itself, as installed into another agent whose files we read, too. As a hook it would call hookline for the
 * call that hookline is about to check, without end.
 */
export function isOwnClient(item: Located): boolean {
  if (item.kind !== "map") return false;
  return entriesNamed(item, "command").some(({ value }) => value.kind === "scalar" && startsClient(value.value));
}

function startsClient(command: unknown): boolean {
  if (typeof command !== "string") return false;
  const program = FIRST_WORD.exec(command)?.[0].replaceAll(/['\\]/g, "") ?? "";
  return program.startsWith("/") && program.endsWith(CLIENT);
}
