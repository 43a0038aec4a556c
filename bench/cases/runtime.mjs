import { apart } from "../apart.mjs";
import { measure } from "../measure.mjs";
import { row } from "../row.mjs";

export const cases = [{ name: "one runtime hook", run }];

async function run(name, dir) {
  const contenders = {
    ours: await apart(import.meta.url, "ours", dir),
    peer: await apart(import.meta.url, "peer", dir),
  };
  const times = await measure(contenders, { rounds: 24, batchMs: 100 });
  await Promise.all(Object.values(contenders).map(({ close }) => close()));
  return row(name, times, [["<= 1/5 of peer", times.ours <= times.peer / 5]]);
}

const INPUT = { file_path: "a.txt", content: "x" };
const runtimeHook = { type: "runtime", name: "allow", action: async () => ({ decision: "allow" }) };

export async function ours(dir) {
  const { startOurs } = await import("../ours.mjs");
  return firing(await startOurs({ dir, runtimeHook }));
}

export async function peer(dir) {
  const { startPeer } = await import("../peer.mjs");
  return firing(await startPeer({ dir, runtimeHook }));
}

async function firing(engine) {
  const { finalOutput } = await engine.beforeTool("write_file", INPUT);
  if (finalOutput?.decision !== "allow") throw new Error("the hook was not heard");
  return () => engine.beforeTool("write_file", INPUT);
}
