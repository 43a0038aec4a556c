// node --expose-gc endure.mjs <ours|peer> <runtime|command> <events> <folder>: prints by how much the process grew.
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const [engineName, hook, events, dir] = process.argv.slice(2);
const start = engineName === "ours" ? (await import("./ours.mjs")).startOurs : (await import("./peer.mjs")).startPeer;

const command = fileURLToPath(new URL("hooks/allow.sh", import.meta.url));
const setUps = {
  runtime: { runtimeHook: { type: "runtime", name: "allow", action: async () => ({ decision: "allow" }) } },
  command: { hooks: { BeforeTool: [{ hooks: [{ type: "command", command }] }] } },
};
const engine = await start({ dir, ...setUps[hook] });

const held = [];
for (let tenth = 0; tenth < 10; tenth++) held.push(await fire(events / 10));
await engine.dispose();

const [early, late] = [held[0], held[9]];
const megabytes = (bytes) => Number((bytes / 1e6).toFixed(2));
const growth = {
  rss_growth_mb: megabytes(late.rss - early.rss),
  heap_growth_mb: megabytes(late.heapUsed - early.heapUsed),
  fd_growth: late.descriptors - early.descriptors,
};
console.log(JSON.stringify(growth));

/** Fires that many events, then says what is still held once all that can be let go is gone. */
async function fire(count) {
  for (let i = 0; i < count; i++) await engine.beforeTool("write_file", { file_path: "a.txt", content: `text ${i}` });
  await sleep(200);
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  return { rss, heapUsed, descriptors: openDescriptors() };
}

function openDescriptors() {
  return process.platform === "linux" ? readdirSync("/proc/self/fd").length : 0;
}
