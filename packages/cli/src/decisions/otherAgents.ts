import { basename } from "node:path";
import { DIALECTS } from "@hookline/engine/program";
import type { ProcessFacts } from "../terminal/processes.ts";

const AGENTS = Object.values(DIALECTS).map(({ agent }) => agent);
const INTERPRETER = /^(node|nodejs|bun|deno|sh|bash|env)$/;
/** Options of an interpreter may have values, which look like a script. */
const MOST_WORDS = 3;

/** Whether a process is an agent that hookline can guard: its program, or a script of its package that an interpreter runs. */
export function isOtherAgent({ argv: [program = "", ...words] }: ProcessFacts): boolean {
  const named = words.filter((word) => !word.startsWith("-")).slice(0, MOST_WORDS);
  const scripts = INTERPRETER.test(basename(program)) ? named : [];
  return AGENTS.some(({ program: name, packageName, otherPackages = [] }) => {
    const folders = [packageName, ...otherPackages].map((one) => `/${one}/`);
    const isScript = (script: string) => basename(script) === name || folders.some((folder) => script.includes(folder));
    return basename(program) === name || scripts.some(isScript);
  });
}

/** The variable by which an agent can be recognised in what it started. Its absence proves nothing. */
export function agentMark(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return AGENTS.map(({ mark }) => mark).find((mark) => mark !== undefined && env[mark]);
}
