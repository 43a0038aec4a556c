import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { FunctionCall } from "@google/genai";
import type { AgentState } from "./agentState.ts";
import { callsOf } from "./content.ts";
import { inProject } from "./sessionSummary.ts";

const MOST_WORDS = 1_000;
const LONGEST_PATH = 1_024;

/** The files that a prompt is about, from the project root: those it names, and those that tools of this conversation read or wrote. */
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
    return []; // arguments that the tool refused
  }
}

/** Words that are paths of files, also in quotes, as `@path`, or before punctuation. */
function namedIn(prompt: string, workingDir: string): readonly string[] {
  const words = prompt.split(/[\s"'`<>()[\]{},;]+/, MOST_WORDS);
  return words
    .filter((word) => word.length <= LONGEST_PATH)
    .map((word) => withoutEnding(word.replace(/^@/, "")))
    .filter((path) => path !== "")
    .map((path) => resolve(workingDir, path))
    .filter(isFile);
}

/** `src/a.ts` of `src/a.ts:12:5.` A pattern for all of it would take quadratic time on a word of nothing but punctuation. */
function withoutEnding(word: string): string {
  let end = word.length;
  while (end > 0 && ".:!?".includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end).replace(/:\d+$/, "").replace(/:\d+$/, "");
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false; // a part of it is a file, or may not be entered
  }
}
