// node bench/run.mjs [part of a case's name]: measures us beside the bare operating system and beside the peer.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { cases as bus } from "./cases/bus.mjs";
import { cases as command } from "./cases/command.mjs";
import { cases as endurance } from "./cases/endurance.mjs";
import { cases as http } from "./cases/http.mjs";
import { cases as install } from "./cases/install.mjs";
import { cases as matching } from "./cases/matching.mjs";
import { cases as model } from "./cases/model.mjs";
import { cases as plugin } from "./cases/plugin.mjs";
import { cases as runtime } from "./cases/runtime.mjs";
import { cases as telemetry } from "./cases/telemetry.mjs";
import { cases as worker } from "./cases/worker.mjs";
import { header, line, summary } from "./table.mjs";

const all = [
  ...matching,
  ...runtime,
  ...plugin,
  ...command,
  ...worker,
  ...http,
  ...model,
  ...bus,
  ...telemetry,
  ...install,
  ...endurance,
];
const wanted = process.argv[2] ?? "";
const chosen = all.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0) {
  console.error(`No case is called "${wanted}". There are:\n${all.map(({ name }) => `  ${name}`).join("\n")}`);
  process.exit(1);
}

const dir = await mkdtemp(join(tmpdir(), "hookline-bench-"));
const rows = [];
try {
  console.log(header());
  for (const { name, run } of chosen) {
    const row = await run(name, dir);
    rows.push(row);
    console.log(line(row));
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
console.log(summary(rows));

if (chosen.length === all.length) {
  const [{ model: cpu }, ...others] = cpus();
  const machine = { cpu, cores: others.length + 1, node: process.version, date: new Date().toISOString() };
  await writeFile(new URL("results.json", import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
process.exit(rows.every(({ pass }) => pass) ? 0 : 1);
