import { KNOWN_TOOLS } from "@hookline/engine/program";
import { glob } from "./glob.ts";
import { grepSearch } from "./grepSearch.ts";
import { listDirectory } from "./listDirectory.ts";
import { readFile } from "./readFile.ts";
import { replace } from "./replace.ts";
import { runShellCommand } from "./runShellCommand.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./writeFile.ts";

/** What the program can do by itself, in the order in which models are told. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  readFile,
  writeFile,
  replace,
  runShellCommand,
  listDirectory,
  glob,
  grepSearch,
];

/** Every name of a built-in tool, the names that other agents use included. */
export const TOOL_NAMES: readonly string[] = [
  ...new Set([...KNOWN_TOOLS.flat(), ...BUILT_IN_TOOLS.map(({ name }) => name)]),
];
