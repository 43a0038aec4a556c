import { KNOWN_TOOLS } from "@hookline/engine/program";
import { glob } from "./glob.ts";
import { grepSearch } from "./grepSearch.ts";
import { listDirectory } from "./listDirectory.ts";
import { readFile } from "./readFile.ts";
import { replace } from "./replace.ts";
import { runShellCommand } from "./runShellCommand.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./writeFile.ts";

/** The built-in tools, in the order in which models see them. */
export const BUILT_IN_TOOLS: readonly Tool[] = [
  readFile,
  writeFile,
  replace,
  runShellCommand,
  listDirectory,
  glob,
  grepSearch,
];

/** All names of built-in tools, including those that other agents use. */
export const TOOL_NAMES: readonly string[] = [
  ...new Set([...KNOWN_TOOLS.flat(), ...BUILT_IN_TOOLS.map(({ name }) => name)]),
];
