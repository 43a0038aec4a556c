// Builds the native spawner for this machine, into the packages that ship it. It is for Linux: elsewhere Node starts a process without a fork.
import { fileURLToPath } from "node:url";
import { buildNative, copyNative, sourcesIn } from "./native.mjs";

const path = (relative) => fileURLToPath(new URL(`../packages/${relative}`, import.meta.url));
const SOURCES = path("spawner/src");
const THIS_SCRIPT = fileURLToPath(import.meta.url);
const NAME = `native/hookline-spawn-linux-${process.arch}`;

/** Where the engine finds it. The packed program has a copy. */
export const SPAWNER = path(`engine/${NAME}`);

if (process.argv[1] === THIS_SCRIPT && process.platform === "linux") {
  const isBuilt = buildNative({ name: "native spawner", folder: SOURCES, output: SPAWNER, script: THIS_SCRIPT });
  if (isBuilt) copyNative(SPAWNER, path(`cli/${NAME}`));
  else process.exitCode = 1;
}

export function spawnerSources() {
  return sourcesIn(SOURCES);
}
