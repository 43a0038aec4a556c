// Builds the native client for this machine, into the package that ships it too.
import { fileURLToPath } from "node:url";
import { buildNative, compile as compileSources, copyNative, sourcesIn } from "./native.mjs";

export { FLAGS, findCompiler } from "./native.mjs";

const NAME = `hookline-hook-${process.platform}-${process.arch}`;
const path = (relative) => fileURLToPath(new URL(`../packages/${relative}`, import.meta.url));
const SOURCES = path("client/src");
const THIS_SCRIPT = fileURLToPath(import.meta.url);

export const CLIENT = path(`client/bin/${NAME}`);

if (process.argv[1] === THIS_SCRIPT) {
  const isBuilt = buildNative({ name: "native client", folder: SOURCES, output: CLIENT, script: THIS_SCRIPT });
  if (isBuilt) copyNative(CLIENT, path(`cli/native/${NAME}`));
  else process.exitCode = 1;
}

/** Returns what the compiler says if it fails. */
export function compile(compiler, flags, output, sources = clientSources()) {
  return compileSources(compiler, flags, output, sources);
}

export function clientSources() {
  return sourcesIn(SOURCES);
}
