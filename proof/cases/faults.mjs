import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { answerQuestion, callClient, hooklineAtTerminal, hooklineSetup, signalDaemon } from "../setups/hookline.mjs";
import { callOfWrite, DENIED, NOT_ASKED, RAN, REFUSED, REFUSED_BY_CLIENT, TEXT, unasked } from "../words.mjs";

const BLOCKS = `echo '${TEXT}' >&2; exit 2`;
const HANGS = "exec sleep 40";
const CLOSED = { onError: "block" };

const guard = (wanted) => (run) => hooklineSetup(run, { event: "BeforeTool", script: BLOCKS, ...wanted });
const is = (seen) => () => seen;
const cannotAsk = ({ dialect, beforeTool }) => dialect.events[beforeTool].can.ask.is === "degraded";

/** What happens to a call when something is missing, slow or broken. The hook is a guard before tools. */
export const FAULT_CASES = [
  { name: "hook says nothing", prepare: guard({ script: "exit 0" }), expected: is(RAN) },
  { name: "guard on writing", prepare: guard({ matcher: "^write_file$" }), steps: callOfWrite, expected: is(DENIED) },
  { name: "hook crashes", prepare: guard({ script: "kill -9 $$" }), expected: is(RAN) },
  { name: "guard crashes", prepare: guard({ script: "kill -9 $$", hook: CLOSED }), expected: is(REFUSED) },
  {
    name: "guard is too slow",
    prepare: guard({ script: HANGS, hook: { ...CLOSED, timeout: "1s" } }),
    expected: is(REFUSED),
  },
  { name: "guard is slower than the deadline", prepare: pastTheDeadline, expected: is(REFUSED) },
  { name: "a person approves", prepare: asks, during: approved, isFor: cannotAsk, expected: is(RAN) },
  { name: "no person answers in time", prepare: asksBriefly, isFor: cannotAsk, expected: is(DENIED) },
  { name: "daemon was killed before", prepare: killedBefore, expected: is(DENIED) },
  {
    name: "daemon is killed during the call",
    prepare: guard({ script: HANGS, hook: CLOSED }),
    during: killedDuring,
    expected: is(REFUSED_BY_CLIENT),
  },
  { name: "daemon hangs", prepare: daemonHangs(CLOSED), expected: is(unasked(REFUSED_BY_CLIENT)) },
  { name: "daemon hangs, and failures may pass", prepare: daemonHangs({}), expected: is(unasked(RAN)) },
  { name: "daemon cannot start again", prepare: cannotStartAgain, expected: is(unasked(REFUSED_BY_CLIENT)) },
  { name: "daemon never starts", prepare: neverStarts, expected: is(unasked(NOT_ASKED)) },
  { name: "client is gone", prepare: withoutClient, expected: withoutAnswer },
  { name: "project is not trusted", prepare: guard({ inProject: true }), expected: is(unasked(RAN)) },
  {
    name: "project is trusted by the installation",
    prepare: guard({ inProject: true, install: ["--trust-project"] }),
    expected: is(DENIED),
  },
  { name: "uninstalled again", prepare: uninstalled, expected: is(unasked(RAN)) },
];

async function pastTheDeadline(run) {
  await guard({ script: HANGS, hook: CLOSED })(run);
  await shortenDeadlines(run, 3000);
}

/** In the agent's settings, where the installation has written them. */
async function shortenDeadlines(run, ms) {
  const files = await readdir(run.home, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile() && one.name.endsWith(".json"))) {
    const path = join(file.parentPath, file.name);
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text.replaceAll(/(--(?:ask-)?deadline[" ,\n]+)\d+/g, (_, name) => name + ms),
    );
  }
}

async function asks(run) {
  await guard({ script: `echo '{"decision": "ask", "reason": "${TEXT}"}'` })(run);
}

async function approved(run) {
  await answerQuestion(run, ["approve"]);
}

async function asksBriefly(run) {
  await asks(run);
  await shortenDeadlines(run, 3000);
}

async function killedBefore(run) {
  await guard({ hook: CLOSED })(run);
  startAndSignal(run, "SIGKILL");
}

async function killedDuring(run) {
  await run.waitFor(run.hookMark);
  signalDaemon(run, "SIGKILL");
}

function daemonHangs(hook) {
  return async (run) => {
    await guard({ hook })(run);
    await shortenDeadlines(run, 1000); // at each event
    startAndSignal(run, "SIGSTOP");
  };
}

/** It has run before, so the client knows what is guarded: only that is refused. */
async function cannotStartAgain(run) {
  await killedBefore(run);
  await breakStart(run);
}

/** The client does not know what is guarded, so it refuses all that can be refused, beginning with the prompt. */
async function neverStarts(run) {
  await guard({})(run);
  await breakStart(run);
}

function breakStart(run) {
  return writeFile(join(run.home, ".hookline/run/daemon.start"), "/bin/false\0");
}

/** The first call starts it, and tells the client what is guarded. */
function startAndSignal(run, signal) {
  callClient(run, "SessionStart", { session_id: "before", cwd: run.project, source: "startup" });
  signalDaemon(run, signal);
}

async function withoutClient(run) {
  await guard({})(run);
  await rm(join(run.home, ".hookline/bin/hookline-hook"));
}

/** Then the host decides. Those that refuse the call would refuse the prompt before. */
function withoutAnswer({ dialect }) {
  const { action, unless } = dialect.failure.rows.find(({ when }) => when.includes("missing program"));
  return unasked(action === "runs" && unless === undefined ? RAN : NOT_ASKED);
}

async function uninstalled(run) {
  const before = await snapshot(run.home);
  await guard({})(run);
  hooklineAtTerminal(run, ["uninstall", run.agent.name, "--yes"]);
  const after = await snapshot(run.home);
  const kept = (files) => Object.entries(files).filter(([path]) => !/^(?:hook\.sh|\.hookline\/|\.cache\/)/.test(path));
  if (JSON.stringify(kept(before)) !== JSON.stringify(kept(after)))
    throw new Error("The agent's settings are not what they were");
}

async function snapshot(folder) {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  const entries = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [path.slice(folder.length + 1), await readFile(path, "utf8")];
  });
  return Object.fromEntries(await Promise.all(entries));
}
