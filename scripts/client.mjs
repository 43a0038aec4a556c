// Builds the native client for this machine.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildNative, compile as compileSources, sourcesIn } from "./native.mjs";

export { FLAGS, findCompiler } from "./native.mjs";

const SOURCES = fileURLToPath(new URL("../packages/client/src", import.meta.url));
const BIN = fileURLToPath(new URL("../packages/client/bin", import.meta.url));
const THIS_SCRIPT = fileURLToPath(import.meta.url);

export const CLIENT = join(BIN, `hookline-hook-${process.platform}-${process.arch}`);

if (process.argv[1] === THIS_SCRIPT) {
  const isBuilt = buildNative({ name: "native client", folder: SOURCES, output: CLIENT, script: THIS_SCRIPT });
  if (!isBuilt) process.exitCode = 1;
}

/** Returns what the compiler says if it fails. */
export function compile(compiler, flags, output, sources = clientSources()) {
  return compileSources(compiler, flags, output, sources);
}

export function clientSources() {
  return sourcesIn(SOURCES);
}
