// Builds the native spawner for this machine, into the packages that ship it. It is for Linux: elsewhere Node starts a process without a fork.
import { copyFileSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { buildNative, sourcesIn } from "./native.mjs";

const path = (relative) => fileURLToPath(new URL(`../packages/${relative}`, import.meta.url));
const SOURCES = path("spawner/src");
const THIS_SCRIPT = fileURLToPath(import.meta.url);
const NAME = `native/hookline-spawn-linux-${process.arch}`;

/** Where the engine finds it, and where the packed program does. */
export const SPAWNER = path(`engine/${NAME}`);
const COPY = path(`cli/${NAME}`);

if (process.argv[1] === THIS_SCRIPT && process.platform === "linux") {
  const isBuilt = buildNative({ name: "native spawner", folder: SOURCES, output: SPAWNER, script: THIS_SCRIPT });
  if (isBuilt) copySpawner();
  else process.exitCode = 1;
}

export function spawnerSources() {
  return sourcesIn(SOURCES);
}

function copySpawner() {
  const [built, copied] = [SPAWNER, COPY].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (built === 0 || copied >= built) return;
  const draft = `${COPY}.new-${process.pid}`;
  mkdirSync(dirname(COPY), { recursive: true });
  copyFileSync(SPAWNER, draft);
  renameSync(draft, COPY);
}
