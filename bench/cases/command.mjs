import { fileURLToPath } from "node:url";
import { runBare } from "../floor.mjs";
import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { startPeer } from "../peer.mjs";
import { row } from "../row.mjs";

const SCRIPT = fileURLToPath(new URL("../hooks/allow.sh", import.meta.url));
const ONE_BY_ONE = { rounds: 400, batchMs: 0 }; // the median of single runs: processes have wild outliers
const SHELL_TEXT = "cat >/dev/null; echo '{}'";

export const cases = [
  { name: "one command hook, a script", run: (name, dir) => one(name, dir, SCRIPT, [SCRIPT]) },
  { name: "one command hook, shell text", run: (name, dir) => one(name, dir, SHELL_TEXT, ["bash", "-c", SHELL_TEXT]) },
  { name: "ten command hooks, 1 MB payload", run: ten },
];

async function one(name, dir, command, [file, ...args]) {
  const toolInput = { file_path: "a.txt", content: "x" };
  const [ours, peer] = await start(dir, [command]);
  const contenders = {
    floor: () => runBare(file, args, inputFor(dir, toolInput)),
    ours: () => fire(ours, toolInput, 1),
    peer: () => fire(peer, toolInput, 1),
  };
  const times = await measure(contenders, ONE_BY_ONE);
  await ours.dispose();
  return row(name, times, [
    ["<= 1.10x floor", times.ours <= 1.1 * times.floor],
    ["<= peer", times.ours <= times.peer],
  ]);
}

async function ten(name, dir) {
  const toolInput = { file_path: "a.txt", content: "line of text\n".repeat(2 ** 20 / 13) };
  const commands = Array.from({ length: 10 }, (_, i) => `: ${i}; ${SHELL_TEXT}`); // ten texts: none is a duplicate
  const [ours, peer] = await start(dir, commands);
  const contenders = {
    floor: () => allBare(commands, inputFor(dir, toolInput)),
    ours: () => fire(ours, toolInput, 10),
    peer: () => fire(peer, toolInput, 10),
  };
  const times = await measure(contenders, { ...ONE_BY_ONE, rounds: 80 });
  await ours.dispose();
  return row(name, times, [["<= 0.8x peer", times.ours <= 0.8 * times.peer]]);
}

function start(dir, commands) {
  const hooks = () => ({ BeforeTool: [{ hooks: commands.map((command) => ({ type: "command", command })) }] });
  return Promise.all([startOurs({ dir, hooks: hooks() }), startPeer({ dir, hooks: hooks() })]);
}

async function fire(engine, toolInput, answers) {
  const { success, allOutputs } = await engine.beforeTool("write_file", toolInput);
  if (!success || allOutputs.length !== answers) throw new Error(`${allOutputs.length} of ${answers} hooks answered`);
}

function allBare(commands, input) {
  return Promise.all(commands.map((command) => runBare("bash", ["-c", command], input)));
}

function inputFor(cwd, tool_input) {
  const timestamp = new Date().toISOString();
  const base = { session_id: "bench", transcript_path: "", cwd, hook_event_name: "BeforeTool", timestamp };
  return Buffer.from(JSON.stringify({ ...base, tool_name: "write_file", tool_input, tool_call_id: "1" }));
}
