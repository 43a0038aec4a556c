import { execFile } from "node:child_process";
import { lstat, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { row } from "../row.mjs";

export const cases = [{ name: "installing the engine alone", run, usesNetwork: true }];

const ENGINE = fileURLToPath(new URL("../../packages/engine/", import.meta.url));
const PEER_MODULES = fileURLToPath(new URL("../node_modules/", import.meta.url));
const npm = promisify(execFile).bind(undefined, "npm");

async function run(name, dir) {
  const project = await mkdtemp(join(dir, "install-"));
  const { stdout } = await npm(["pack", ENGINE, "--json", "--ignore-scripts"], { cwd: project });
  const [{ filename }] = JSON.parse(stdout);
  await writeFile(join(project, "package.json"), '{ "private": true }');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await npm(["install", `./${filename}`, ...quiet], { cwd: project });

  const { dependencies = {} } = JSON.parse(await readFile(join(ENGINE, "package.json"), "utf8"));
  const direct = Object.keys(dependencies).length;
  const [ours, peer] = await Promise.all([bytesIn(join(project, "node_modules")), bytesIn(PEER_MODULES)]);
  const bars = [
    ["<= 12 MB", ours <= 12e6],
    ["<= 5 direct dependencies", direct <= 5],
  ];
  return row(name, {}, bars, { ours_bytes: ours, peer_bytes: peer, dependencies: direct });
}

async function bytesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await lstat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
