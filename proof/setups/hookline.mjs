import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { writeJson, writeScript } from "../files.mjs";
import { processesOf } from "../processes.mjs";

const PROGRAM = fileURLToPath(new URL("../../packages/cli/bin/hookline.js", import.meta.url));

/**
 * A hook of ours, for the user or in the project, with `hookline install` for the agent. The daemon is started by the first call.
 *
 * @param {import("../agentRun.mjs").AgentRun} run
 * @param {{ event: string, script: string, matcher?: string, inProject?: boolean, hook?: object, install?: readonly string[] }} wanted
 */
export async function hooklineSetup(run, { event, script, matcher = "", inProject = false, hook = {}, install = [] }) {
  const folder = inProject ? run.project : run.home;
  const command = join(folder, "hook.sh");
  run.hookMark = join(run.home, "asked");
  await writeScript(command, `touch "$HOME/asked"\n${script}`);
  const hooks = [{ type: "command", command, timeout: "30s", ...hook }];
  await writeJson(join(folder, ".hookline/settings.json"), { hooks: { [event]: [{ matcher, hooks }] } });
  hookline(run, ["install", run.agent.name, "--yes", ...install]);
}

/** One of our commands, as a person types it. */
export function hookline(run, args) {
  return started(run, [process.execPath, PROGRAM, ...args]);
}

/** The same at a terminal: without one, it decides nothing for a person. */
export function hooklineAtTerminal(run, args) {
  const command = [process.execPath, PROGRAM, ...args].map((word) => `'${word}'`).join(" ");
  return started(run, ["script", "--quiet", "--return", "--command", command, "/dev/null"]);
}

/** Calls the client as the agent would. */
export function callClient(run, event, payload) {
  const client = join(run.home, ".hookline/bin/hookline-hook");
  const deadlines = ["--deadline", "30000", "--ask-deadline", "30000"];
  return started(run, [client, run.agent.name, event, ...deadlines], JSON.stringify(payload));
}

/** Answers the question that a hook put to a person, as soon as it is there. */
export async function answerQuestion(run, [verb, ...words]) {
  for (let tries = 0; tries < 100; tries++) {
    const [question] = JSON.parse(hookline(run, ["asks", "--json"]));
    if (question) return hooklineAtTerminal(run, [verb, question.id, ...words]);
    await pause(100);
  }
  throw new Error("No question was asked");
}

export function signalDaemon(run, signal) {
  const found = daemonsOf(run);
  if (found.length === 0) throw new Error("There is no daemon to signal");
  for (const pid of found) process.kill(pid, signal);
}

/** What the case itself has started and the agent leaves behind, with or without namespaces. */
export function endDaemons(run) {
  for (const pid of daemonsOf(run)) process.kill(pid, "SIGKILL");
}

const daemonsOf = ({ home }) => processesOf(["daemon", "run", "--home", home]);

function started({ project, env }, [program, ...args], input = "") {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.slice(1).join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
}
