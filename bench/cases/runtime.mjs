import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { startPeer } from "../peer.mjs";
import { row } from "../row.mjs";

export const cases = [{ name: "one runtime hook", run }];

async function run(name, dir) {
  const runtimeHook = { type: "runtime", name: "allow", action: async () => ({ decision: "allow" }) };
  const ours = await startOurs({ dir, runtimeHook });
  const peer = await startPeer({ dir, runtimeHook: { ...runtimeHook } });
  const times = await measure({ ours: () => fire(ours), peer: () => fire(peer) });
  await ours.dispose();
  return row(name, times, [["<= 1/5 of peer", times.ours <= times.peer / 5]]);
}

const INPUT = { file_path: "a.txt", content: "x" };

async function fire(engine) {
  const { finalOutput } = await engine.beforeTool("write_file", INPUT);
  if (finalOutput?.decision !== "allow") throw new Error("the hook was not heard");
}
