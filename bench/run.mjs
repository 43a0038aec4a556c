// node bench/run.mjs [part of a case's name]: measures us beside the bare operating system and beside the peer.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { CASES } from "./cases/index.mjs";
import { runCase } from "./runCase.mjs";
import { unfit } from "./surroundings.mjs";
import { header, line, summary } from "./table.mjs";

const reason = unfit(process.env);
if (reason !== undefined) {
  console.error(reason);
  process.exit(1);
}

const wanted = process.argv[2] ?? "";
const chosen = CASES.filter(({ name }) => name.includes(wanted));
if (chosen.length === 0) {
  console.error(`No case is called "${wanted}". There are:\n${CASES.map(({ name }) => `  ${name}`).join("\n")}`);
  process.exit(1);
}

const dir = await mkdtemp(join(tmpdir(), "hookline-bench-"));
const rows = [];
try {
  console.log(header());
  for (const one of chosen) {
    const row = runCase(one, dir);
    rows.push(row);
    console.log(line(row));
  }
} finally {
  await rm(dir, { recursive: true, force: true });
}
console.log(summary(rows));

if (chosen.length === CASES.length) {
  const [{ model: cpu }, ...others] = cpus();
  const machine = { cpu, cores: others.length + 1, node: process.version, date: new Date().toISOString() };
  await writeFile(new URL("results.json", import.meta.url), `${JSON.stringify({ machine, rows }, null, 2)}\n`);
}
process.exit(rows.every(({ pass }) => pass) ? 0 : 1);
