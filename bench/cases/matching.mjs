import { apart } from "../apart.mjs";
import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { startPeer } from "../peer.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [
  { name: "no hook registered", run: (name, dir) => missOneOf(0, name, dir) },
  { name: "none of 100 registered matches", run: (name, dir) => missOneOf(100, name, dir) },
  { name: "none of 10,000 registered matches", run: missOneOfMany },
  { name: "first plan of 10,000 hooks that differ in env", run: planMany },
];

async function missOneOf(count, name, dir) {
  const [ours, peer] = await start(count, dir);
  const times = await measure({ ours: fire(ours), peer: fire(peer) });
  await ours.dispose();
  return row(name, times, [["<= 1/10 of peer", times.ours <= times.peer / 10]]);
}

async function missOneOfMany(name, dir) {
  const [few] = await start(100, dir);
  const [ours, peer] = await start(10_000, dir);
  const times = await measure({ few: fire(few), ours: fire(ours), peer: fire(peer) });
  await few.dispose();
  await ours.dispose();
  const bars = [
    ["<= 1/500 of peer", times.ours <= times.peer / 500],
    ["<= 2x ours with 100", times.ours <= 2 * times.few],
  ];
  return row(name, times, bars, { ratio_to_100: rounded(times.ours / times.few) });
}

/** The first plan of a process, before any of it is compiled to machine code: each round is a thread of its own. */
async function planMany(name, dir) {
  const times = [];
  for (let round = 0; round < 5; round++) {
    const thread = await apart(import.meta.url, "firstPlan", dir);
    times.push((await thread.timeBatch(1)) * 1000);
    await thread.close();
  }
  const ours = times.toSorted((a, b) => a - b)[2];
  return row(name, { ours }, [["< 100 ms", ours < 100_000]]);
}

export async function firstPlan(dir) {
  const hook = (_, i) => ({ type: "command", name: `hook-${i}`, command: "true", env: { NUMBER: String(i) } });
  const hooks = { BeforeTool: [{ matcher: "write_file", hooks: Array.from({ length: 10_000 }, hook) }] };
  const { config } = await startOurs({ dir, hooks });
  const planner = config.getHookSystem().getPlanner();
  return () => {
    const plan = planner.createExecutionPlan("BeforeTool", { subject: "write_file" });
    if (plan.hooks.length !== 10_000) throw new Error("hooks that differ were taken for duplicates");
  };
}

function start(count, dir) {
  const definition = (_, i) => ({
    matcher: `never_${i}`,
    hooks: [{ type: "command", name: `hook-${i}`, command: "true" }],
  });
  // A set of its own for each: the peer writes into the definitions it is given.
  const hooks = () => ({ BeforeTool: Array.from({ length: count }, definition) });
  return Promise.all([startOurs({ dir, hooks: hooks() }), startPeer({ dir, hooks: hooks() })]);
}

// Several tools in turn, as an agent has them: remembering only the last one does not help.
const TOOLS = [
  "read_file",
  "write_file",
  "replace",
  "glob",
  "grep",
  "list_directory",
  "run_shell_command",
  "web_fetch",
];
const INPUT = { file_path: "a.txt", content: "x" };

const fire = (engine) => (i) => engine.beforeTool(TOOLS[i % TOOLS.length], INPUT);
