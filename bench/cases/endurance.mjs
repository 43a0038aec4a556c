import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { row } from "../row.mjs";

export const cases = [
  { name: "100,000 events with a runtime hook", run: (name, dir) => endure(name, dir, "runtime", 100_000) },
  { name: "2,000 events with a command hook", run: (name, dir) => endure(name, dir, "command", 2_000) },
];

/** What is held at the end and was not after the first tenth, in a process of its own for each engine. */
async function endure(name, dir, hook, events) {
  const ours = await growthOf("ours", hook, events, dir);
  const peer = await growthOf("peer", hook, events, dir);
  const bars = [
    ["resident <= +8 MB", ours.rss_growth_mb <= 8], // by itself it wanders by 5
    ["heap <= +1 MB", ours.heap_growth_mb <= 1],
    ["no descriptor more", ours.fd_growth <= 0],
  ];
  const peers = Object.entries(peer).map(([field, value]) => [`peer_${field}`, value]);
  return row(name, {}, bars, { ...ours, ...Object.fromEntries(peers) });
}

const CHILD = fileURLToPath(new URL("../endure.mjs", import.meta.url));
// A nursery of fixed size: left to itself it grows for a while, by more than a leak would.
const NODE_OPTIONS = ["--expose-gc", "--max-semi-space-size=1"];

async function growthOf(...args) {
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_OPTIONS, CHILD, ...args.map(String)]);
  return JSON.parse(stdout);
}
