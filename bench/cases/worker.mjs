import { fileURLToPath } from "node:url";
import { startBareWorker } from "../bareWorker.mjs";
import { measure, STEADY } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { rounded, row } from "../row.mjs";

const hook = (name) => fileURLToPath(new URL(`../hooks/${name}`, import.meta.url));
const NODE = { program: process.execPath, extension: "mjs" };
const PYTHON = { program: "python3", extension: "py" };

export const cases = [
  { name: "worker hook, Node", oneProcessor: true, run: (name, dir) => one(name, dir, NODE) },
  { name: "worker hook, Python", oneProcessor: true, run: (name, dir) => one(name, dir, PYTHON) },
  { name: "64 events in flight on one Node worker", oneProcessor: true, run: (name, dir) => inFlight(name, dir, NODE) },
  {
    name: "64 events in flight on one Python worker",
    oneProcessor: true,
    run: (name, dir) => inFlight(name, dir, PYTHON),
  },
];

const INPUT = { file_path: "a.txt", content: "x" };
const IN_FLIGHT = 64;

async function one(name, dir, { program, extension }) {
  const floor = startBareWorker(program, [hook(`bare.${extension}`)]);
  const ours = await start(dir, "worker", program, extension);
  const command = await start(dir, "command", program, extension);
  const message = inputFor(dir);
  const times = await measure({ floor: () => floor.ask(message), ours: () => fire(ours) }, STEADY);
  // The median of single runs: processes have wild outliers.
  const processes = await measure({ command: () => fire(command) }, { rounds: 60, batchMs: 0 });
  floor.close();
  await Promise.all([ours.dispose(), command.dispose()]);
  const faster = processes.command / times.ours;
  const bars = [
    ["<= 2x floor", times.ours <= 2 * times.floor],
    [">= 100x faster than as a command", faster >= 100],
  ];
  return row(name, times, bars, { as_command_us: rounded(processes.command), times_faster: rounded(faster) });
}

async function inFlight(name, dir, { program, extension }) {
  const engine = await start(dir, "worker", program, extension);
  const crowd = () => Promise.all(Array.from({ length: IN_FLIGHT }, () => fire(engine)));
  const times = await measure({ single: () => fire(engine), crowd }, STEADY);
  await engine.dispose();
  const ours = times.crowd / IN_FLIGHT;
  return row(name, { ours }, [["<= one at a time", ours <= times.single]], {
    one_at_a_time_us: rounded(times.single),
    ratio_to_one_at_a_time: rounded(ours / times.single),
  });
}

function start(dir, type, program, extension) {
  const command = `${program} ${hook(`${type}.${extension}`)}`;
  return startOurs({ dir, hooks: { BeforeTool: [{ hooks: [{ type, command }] }] } });
}

async function fire(engine) {
  const { finalOutput } = await engine.beforeTool("write_file", INPUT);
  if (finalOutput?.systemMessage !== "write_file") throw new Error("the hook was not heard");
}

function inputFor(cwd) {
  const timestamp = new Date().toISOString();
  const base = { session_id: "bench", transcript_path: "", cwd, hook_event_name: "BeforeTool", timestamp };
  const input = { ...base, tool_name: "write_file", tool_input: INPUT, tool_call_id: "1" };
  return { id: 1, event: "BeforeTool", input };
}
