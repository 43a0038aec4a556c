import { fileURLToPath } from "node:url";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

export const cases = [
  caseOf("turn of 20 tool calls, ten hooks that do not match", { hooks: idle(), bar: 1.05 }),
  caseOf("turn of 20 tool calls, a worker hook on both sides", { hooks: worker(), bar: 1.1 }),
  caseOf("the same, with the journal", { hooks: worker(), isRecorded: true, bar: 1.2 }),
];

function caseOf(name, options) {
  return { name, run: (_, dir) => run(name, dir, options) };
}

/** The floor is the same turn with hooks off. A batch is a few turns: processes have outliers, and a worker that was not asked for long is cold. */
async function run(name, dir, { hooks, isRecorded, bar }) {
  const { startAgent } = await import("../agent.mjs");
  const [ours, floor] = await Promise.all([
    startAgent(dir, { hooks, isRecorded }),
    startAgent(dir, { hooks, enableHooks: false }),
  ]);
  const times = await measure({ ours: ours.turn, floor: floor.turn }, { rounds: 40, batchMs: 400, warmUpMs: 3_000 });
  await Promise.all([ours.dispose(), floor.dispose()]);
  return row(name, times, [[`<= ${bar}x hooks off`, times.ours <= times.floor * bar]]);
}

function idle() {
  const five = Array.from({ length: 5 }, (_, index) => ({
    matcher: `^no_such_tool_${index}$`,
    hooks: [{ type: "command", name: `idle-${index}`, command: "true", timeout: "5s" }],
  }));
  return { BeforeTool: five, AfterTool: five };
}

function worker() {
  const file = fileURLToPath(new URL("../hooks/worker.mjs", import.meta.url));
  const command = `${process.execPath} ${file}`;
  const groups = [{ hooks: [{ type: "worker", name: "watch", command, timeout: "5s" }] }];
  return { BeforeTool: groups, AfterTool: groups };
}
