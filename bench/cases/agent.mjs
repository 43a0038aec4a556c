import { fileURLToPath } from "node:url";
import { startBareWorker } from "../bareWorker.mjs";
import { measure } from "../measure.mjs";
import { rounded, row } from "../row.mjs";

const BARE_WORKER = fileURLToPath(new URL("../hooks/bare.mjs", import.meta.url));

export const cases = [
  caseOf("turn of 20 tool calls, ten hooks that do not match", { hooks: idle(), bar: 1.05 }),
  caseOf("turn of 20 tool calls, a worker hook on both sides", { hooks: worker(), asks: true, bar: 1.1 }),
  caseOf("the same, with the journal", { hooks: worker(), asks: true, isRecorded: true, bar: 1.2 }),
];

function caseOf(name, options) {
  return { name, run: (_, dir) => run(name, dir, options) };
}

/** A turn has so much code that V8 goes on compiling for some 300 of them. */
const COMPILED_MS = 20_000;

/**
 * The floor is the same turn with hooks off. Beside it, where a worker is asked: hooks off, and as many bare questions to a bare worker.
 * A batch is a few turns: processes have outliers, and a worker that was not asked for long is cold.
 */
async function run(name, dir, { hooks, isRecorded, asks, bar }) {
  const { startAgent } = await import("../agent.mjs");
  const off = { hooks, enableHooks: false };
  const worker = asks ? startBareWorker(process.execPath, [BARE_WORKER]) : undefined;
  const agents = {
    ours: await startAgent(dir, { hooks, isRecorded }),
    floor: await startAgent(dir, off),
    ...(worker ? { bare: await startAgent(dir, { ...off, ask: worker.ask }) } : {}),
  };
  const turns = Object.fromEntries(Object.entries(agents).map(([contender, { turn }]) => [contender, turn]));
  const early = await measure(turns, { rounds: 15, batchMs: 1, warmUpMs: 300 });
  const times = await measure(turns, { rounds: 40, batchMs: 400, warmUpMs: COMPILED_MS });
  await Promise.all(Object.values(agents).map((agent) => agent.dispose()));
  worker?.close();
  const extra = {
    early_ratio: rounded(early.ours / early.floor),
    ...(worker ? { bare_questions_us: rounded(times.bare), bare_ratio: rounded(times.bare / times.floor) } : {}),
  };
  return row(name, times, [[`<= ${bar}x hooks off`, times.ours <= times.floor * bar]], extra);
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
