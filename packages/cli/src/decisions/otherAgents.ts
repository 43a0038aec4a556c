import { basename } from "node:path";
import { DIALECTS } from "@hookline/engine/program";
import type { ProcessFacts } from "../terminal/processes.ts";

const AGENTS = Object.values(DIALECTS).map(({ agent }) => agent);
const INTERPRETER = /^(node|nodejs|bun|deno|sh|bash|env)$/;
const TAKES_VALUE = /^(-r|-C|-S|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--title)$/;

/** Whether a process is an agent that hookline can guard: its program, or a script of its package that an interpreter runs. */
export function isOtherAgent({ argv: [program = "", ...words] }: ProcessFacts): boolean {
  const isInterpreter = INTERPRETER.test(basename(program));
  const names = [program, ...(isInterpreter ? (scriptIn(words) ?? []) : [])].map((path) => basename(path));
  return AGENTS.some(({ program: name, packageName, otherPackages = [] }) => {
    const folders = [packageName, ...otherPackages].map((one) => `/${one}/`);
    const isOfPackage = (word: string) => folders.some((folder) => word.includes(folder));
    return names.includes(name) || (isInterpreter && words.some(isOfPackage));
  });
}

/** The first word that is neither an option nor an option's value. */
function scriptIn(words: readonly string[]): readonly string[] | undefined {
  const script = words.find((word, index) => !word.startsWith("-") && !TAKES_VALUE.test(words[index - 1] ?? ""));
  return script === undefined ? undefined : [script];
}

/** The variable by which an agent can be recognised in what it started. Its absence proves nothing. */
export function agentMark(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENTS.map(({ mark }) => mark).find((mark) => mark !== undefined && env[mark]);
}
