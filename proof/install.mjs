import { spawnSync } from "node:child_process";
import { copyFile, mkdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const FILES = ["package.json", "package-lock.json", ".npmrc"];

export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "hookline-proof");

/** Installs the pinned agents into a cache outside of the repository: a gigabyte, once. Returns its `node_modules`. */
export async function installAgents() {
  const modules = join(CACHE, "node_modules");
  if (await isInstalled()) return modules;
  console.error(`Installing the agents into ${CACHE} (1 GB)`);
  await mkdir(CACHE, { recursive: true });
  for (const name of FILES) await copyFile(new URL(name, import.meta.url), join(CACHE, name));
  const { status, error } = spawnSync("npm", ["ci"], { cwd: CACHE, stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`npm ci failed in ${CACHE}`, { cause: error });
  await copyFile(new URL("package-lock.json", import.meta.url), join(CACHE, "installed"));
  return modules;
}

async function isInstalled() {
  const wanted = await readFile(new URL("package-lock.json", import.meta.url), "utf8");
  return wanted === (await readFile(join(CACHE, "installed"), "utf8").catch(() => undefined));
}

export async function installedVersion(modules, agent) {
  const { version } = JSON.parse(await readFile(join(modules, agent.package, "package.json"), "utf8"));
  return version;
}
