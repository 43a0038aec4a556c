import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { defaultHookTranslator } from "../../packages/engine/dist/components/index.js";
import { measure } from "../measure.mjs";
import { startOurs } from "../ours.mjs";
import { startPeer } from "../peer.mjs";
import { rounded, row } from "../row.mjs";

export const cases = [
  { name: "model event, 1 MB of history, no hook matches", run },
  { name: "AfterModel, 1 MB of history, worker hook", run: workerHook },
];

async function run(name, dir) {
  const hooks = () => ({ BeforeTool: [{ matcher: "write_file", hooks: [{ type: "command", command: "true" }] }] });
  const [ours, peer] = await Promise.all([startOurs({ dir, hooks: hooks() }), startPeer({ dir, hooks: hooks() })]);
  const small = history(10 * 1024);
  const large = history(1024 * 1024);
  const times = await measure({
    small: () => ours.beforeModel(small),
    ours: () => ours.beforeModel(large),
    peer: () => peer.beforeModel(large),
  });
  await ours.dispose();
  const bars = [
    ["< 5 us", times.ours < 5],
    ["<= 2x ours with 10 KB", times.ours <= 2 * times.small],
  ];
  return row(name, times, bars, { ratio_to_10kb: rounded(times.ours / times.small) });
}

/**
 * Everything between the agent's call and the moment when the request is on its way to the worker, which happens before
 * the call returns its promise: translation, check, serialisation, and the first write. What the write of as many bytes
 * to a bare process takes is measured beside it and taken off.
 */
async function workerHook(name, dir) {
  const command = `${process.execPath} ${fileURLToPath(new URL("../hooks/worker.mjs", import.meta.url))}`;
  const engine = await startOurs({ dir, hooks: { AfterModel: [{ hooks: [{ type: "worker", command }] }] } });
  const request = history(1024 * 1024);
  const response = { candidates: [{ content: { role: "model", parts: [{ text: "done" }] }, finishReason: "STOP" }] };
  const translated = defaultHookTranslator.toHookLLMRequest(request);
  const bytes = Buffer.from(JSON.stringify(translated));
  const reader = spawn("cat", { stdio: ["pipe", "ignore", "inherit"] });
  const contenders = {
    floor: () => JSON.stringify(translated),
    sent: begun(() => engine.afterModel(request, response)),
    write: begun(() => new Promise((resolve) => reader.stdin.write(bytes, resolve))),
  };
  const { floor, sent, write } = await measure(contenders, { rounds: 600, batchMs: 0 });
  reader.kill();
  await engine.dispose();
  const ours = sent - write;
  const bars = [["<= 1.5x JSON.stringify of the translated request", ours <= 1.5 * floor]];
  return row(name, { ours, floor }, bars, { with_the_write_us: rounded(sent) });
}

/** How long an operation keeps the thread before it has to wait. */
function begun(operation) {
  return {
    async timeBatch(batch) {
      let total = 0;
      for (let i = 0; i < batch; i++) {
        const start = performance.now();
        const ended = operation();
        total += performance.now() - start;
        await ended;
      }
      return total;
    },
  };
}

/** Turns of 2 KB each, alternating, in the shape of the model SDK. */
function history(bytes) {
  const contents = Array.from({ length: bytes / 2048 }, (_, i) => ({
    role: i % 2 ? "model" : "user",
    parts: [{ text: `${i} `.padEnd(2048, "lorem ipsum ") }],
  }));
  return { model: "gemini-2.5-flash", contents };
}
