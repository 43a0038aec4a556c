import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FunctionCall } from "@google/genai";
import type { AgentState } from "./agentState.ts";
import { callsOf } from "./content.ts";
import { inProject } from "./sessionSummary.ts";

const MOST_WORDS = 1_000;
const LONGEST_PATH = 1_024;

/** The files that a prompt concerns, from the project root: those it names, and those that tools read or wrote in this conversation. */
export function currentFiles(state: AgentState, prompt: string): string[] {
  const { totals, history, projectRoot, config } = state;
  const calls = history.contents.flatMap((content) => callsOf(content));
  const before = [...new Set(calls.flatMap((call) => filesOf(state, call)))].filter(isFile);
  const named = namedIn(prompt, config.getWorkingDir());
  return inProject([...totals.readFiles, ...totals.changedFiles, ...before, ...named], projectRoot);
}

function filesOf({ tools, toolContext }: AgentState, { name, args = {} }: FunctionCall): readonly string[] {
  const tool = tools.find((one) => one.name === name);
  try {
    const input = tool?.normalise?.(args) ?? args;
    return [...(tool?.reads?.(input, toolContext) ?? []), ...(tool?.writes?.(input, toolContext) ?? [])];
  } catch {
    return []; // the tool refuses the arguments
  }
}

/** Words that are paths of files, including those in quotes, as `@path`, or before punctuation. */
function namedIn(prompt: string, workingDir: string): readonly string[] {
  const words = prompt.split(/[\s"'`<>()[\]{},;]+/, MOST_WORDS);
  return words
    .filter((word) => word.length <= LONGEST_PATH)
    .map((word) => withoutEnding(word.replace(/^@/, "")))
    .filter((path) => path !== "")
    .map((path) => resolve(workingDir, path))
    .filter(isFile);
}

/** Returns `src/a.ts` for `src/a.ts:12:5.` A single pattern would take quadratic time on a long word of punctuation. */
function withoutEnding(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end).replace(/:\d+$/, "").replace(/:\d+$/, "");
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a part of the path is a file or not accessible
  }
}
