import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hookline, hooklineAtTerminal, hooklineSeat, killDaemon } from "../seats/hookline.mjs";
import { callOfWrite, DENIED, RAN, REFUSED, REFUSED_BY_CLIENT, TEXT, unasked } from "../words.mjs";

const BLOCKS = `echo '${TEXT}' >&2; exit 2`;
const HANGS = "exec sleep 40";
const CLOSED = { onError: "block" };

const guard = (wanted) => (run) => hooklineSeat(run, { event: "BeforeTool", script: BLOCKS, ...wanted });
const is = (seen) => () => seen;

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
  { name: "guard is slower than the client's deadline", prepare: pastTheDeadline, expected: is(REFUSED_BY_CLIENT) },
  { name: "daemon was killed before", prepare: killedBefore, expected: is(DENIED) },
  {
    name: "daemon is killed during the call",
    prepare: guard({ script: HANGS, hook: CLOSED }),
    during: killedDuring,
    expected: is(REFUSED_BY_CLIENT),
  },
  { name: "daemon cannot start", prepare: withoutDaemon, expected: is(unasked(REFUSED_BY_CLIENT)) },
  { name: "client is gone", prepare: withoutClient, expected: withoutAnswer },
  { name: "project is not trusted", prepare: guard({ inProject: true }), expected: is(unasked(RAN)) },
  {
    name: "project is trusted by the installation",
    prepare: guard({ inProject: true, install: ["--trust-project"] }),
    expected: is(DENIED),
  },
  { name: "uninstalled again", prepare: uninstalled, expected: is(unasked(RAN)) },
];

/** The deadline is in the agent's settings, so a person could shorten it there, too. */
async function pastTheDeadline(run) {
  await guard({ script: HANGS, hook: CLOSED })(run);
  const files = await readdir(run.home, { recursive: true, withFileTypes: true });
  for (const file of files.filter((one) => one.isFile() && one.name.endsWith(".json"))) {
    const path = join(file.parentPath, file.name);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replaceAll(/(--(?:ask-)?deadline[" ,\n]+)\d+/g, "$12000"));
  }
}

async function killedBefore(run) {
  await guard({})(run);
  hookline(run, ["daemon", "start"]);
  killDaemon(run);
}

async function killedDuring(run) {
  await run.waitFor(join(run.home, "asked"));
  killDaemon(run);
}

async function withoutDaemon(run) {
  await guard({})(run);
  await writeFile(join(run.home, ".hookline/run/daemon.start"), "/bin/false\0");
}

async function withoutClient(run) {
  await guard({})(run);
  await rm(join(run.home, ".hookline/bin/hookline-hook"));
}

/** Then the host decides: it blocks where it has a setting for that, which `install` writes. */
function withoutAnswer({ dialect }) {
  const crash = dialect.failure.rows.find(({ when }) => when.includes("missing program"));
  return crash.action === "runs" && crash.unless === undefined ? unasked(RAN) : unasked(REFUSED);
}

async function uninstalled(run) {
  const before = await snapshot(run.home);
  await guard({})(run);
  hooklineAtTerminal(run, ["uninstall", run.agent.name, "--yes"]);
  const after = await snapshot(run.home);
  const kept = (files) => Object.entries(files).filter(([path]) => !/^(?:hook\.sh|\.hookline\/)/.test(path));
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
