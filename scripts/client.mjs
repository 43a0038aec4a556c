// Builds the native client for this machine, if there is a C compiler and a source is newer than the last build.
import { spawnSync } from "node:child_process";
import { accessSync, constants, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCES = fileURLToPath(new URL("../packages/client/src", import.meta.url));
const BIN = fileURLToPath(new URL("../packages/client/bin", import.meta.url));
const THIS_SCRIPT = fileURLToPath(import.meta.url);
const COMPILERS = ["cc", "gcc", "clang"];

export const CLIENT = join(BIN, `hookline-hook-${process.platform}-${process.arch}`);
export const FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"];

if (process.argv[1] === THIS_SCRIPT) main();

function main() {
  const compiler = findCompiler();
  if (compiler === undefined) {
    console.error(`The native client is not built: there is no C compiler on PATH (${COMPILERS.join(", ")}).`);
    return;
  }
  if (isCurrent()) return;
  mkdirSync(BIN, { recursive: true });
  const draft = join(BIN, `.new-${process.pid}`);
  // Not every system has its C library in a static form.
  const isStatic = process.platform === "linux" && compile(compiler, [...FLAGS, "-s", "-static"], draft) === undefined;
  const failure = isStatic ? undefined : compile(compiler, [...FLAGS, "-s"], draft);
  if (failure !== undefined) {
    rmSync(draft, { force: true });
    console.error(`The native client cannot be compiled:\n${failure}`);
    process.exitCode = 1;
    return;
  }
  renameSync(draft, CLIENT);
}

/** The absolute path of a compiler. A relative entry of PATH would run what a repository brings. */
export function findCompiler(names = COMPILERS) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Returns what the compiler says if it fails. */
export function compile(compiler, flags, output, sources = clientSources()) {
  const { status, stderr, error } = spawnSync(compiler, [...flags, "-o", output, ...sources], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr);
}

export function clientSources() {
  return readdirSync(SOURCES)
    .filter((name) => name.endsWith(".c"))
    .sort()
    .map((name) => join(SOURCES, name));
}

function isCurrent() {
  const built = statSync(CLIENT, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  // The folder changes when a source is removed.
  const inputs = [THIS_SCRIPT, SOURCES, ...readdirSync(SOURCES).map((name) => join(SOURCES, name))];
  return inputs.every((file) => statSync(file).mtimeMs < built);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
