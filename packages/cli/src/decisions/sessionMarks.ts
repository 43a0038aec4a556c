import { readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { makeOwnFolder, makeUserFolder, readOwnFile, replaceOwnFile } from "@hookline/journal/program";
import type { Io } from "../terminal/io.ts";
import { type ProcessFacts, processFacts } from "../terminal/processes.ts";
import { agentMark, isOtherAgent } from "./otherAgents.ts";

const MOST_BYTES = 1_024;

/**
 * Marks this process as an agent's session, so that its child processes cannot decide for a person. Returns the undo
 * function. A folder that is not writable is not fatal: sessions are also recognised by their command line.
 */
export function markSession(homeDir: string): () => void {
  const file = markOf(homeDir, process.pid);
  try {
    makeUserFolder(homeDir);
    makeOwnFolder(folderOf(homeDir));
    removeStale(homeDir);
    replaceOwnFile(file, processFacts(process.pid)?.startedAt ?? "");
  } catch {
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** The session that started this process, if any. Variables alone prove nothing: `env -i` removes them. */
export function sessionAbove({
  env,
  homeDir,
  ancestors,
}: Pick<Io, "env" | "homeDir" | "ancestors">): string | undefined {
  const session = ancestors().find(
    (process) => isMarked(process, homeDir) || isOurProgram(process) || isOtherAgent(process),
  );
  if (session) return `process ${session.pid}, ${session.argv.join(" ").slice(0, 100)}`;
  if (env.HOOKLINE_SESSION_ID) return `session ${env.HOOKLINE_SESSION_ID}`;
  if (env.HOOKLINE === "1") return "its environment has HOOKLINE=1";
  const mark = agentMark(env);
  return mark === undefined ? undefined : `its environment has ${mark}`;
}

function isMarked({ pid, startedAt }: ProcessFacts, homeDir: string): boolean {
  try {
    return readOwnFile(markOf(homeDir, pid), MOST_BYTES) === startedAt;
  } catch {
    return false;
  }
}

/**
 * `node --options /path/to/hookline …`: whatever its command, hookline starts hooks and tools, never a person's shell.
 */
function isOurProgram({ argv: [program = "", ...words] }: ProcessFacts): boolean {
  const script = words.find((word) => !word.startsWith("-")) ?? "";
  return /^(node|nodejs|bun|deno)$/.test(basename(program)) && /^hookline(\.js)?$/.test(basename(script));
}

/** Removes the marks of sessions that were killed. */
function removeStale(homeDir: string): void {
  for (const name of readdirSync(folderOf(homeDir)).filter((name) => /^\d+$/.test(name))) {
    const facts = processFacts(Number(name));
    if (!facts || !isMarked(facts, homeDir)) rmSync(join(folderOf(homeDir), name), { recursive: true, force: true });
  }
}

const folderOf = (homeDir: string) => join(homeDir, ".hookline", "run");
const markOf = (homeDir: string, pid: number) => join(folderOf(homeDir), String(pid));
