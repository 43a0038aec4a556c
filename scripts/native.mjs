// What the native programs have in common: how they are compiled for this machine.
import { spawnSync } from "node:child_process";
import { accessSync, constants, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";

const COMPILERS = ["cc", "gcc", "clang"];

export const FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"];

/**
 * Builds a program, if there is a C compiler and a source is newer than the last build. `name` is for messages, `folder` has the
 * sources, `script` is the module that describes it. False if it cannot be compiled.
 */
export function buildNative({ name, folder, output, script }) {
  const compiler = findCompiler();
  if (compiler === undefined) {
    console.error(`The ${name} is not built: there is no C compiler on PATH (${COMPILERS.join(", ")}).`);
    return true;
  }
  if (isCurrent(output, [fileURLToPath(import.meta.url), script, folder])) return true;
  mkdirSync(dirname(output), { recursive: true });
  const draft = join(dirname(output), `.new-${process.pid}`);
  const sources = sourcesIn(folder);
  const build = (...flags) => compile(compiler, [...FLAGS, "-s", ...flags], draft, sources);
  // Not every system has its C library in a static form.
  const isStatic = process.platform === "linux" && build("-static") === undefined;
  const failure = isStatic ? undefined : build();
  if (failure === undefined) {
    renameSync(draft, output);
    return true;
  }
  rmSync(draft, { force: true });
  console.error(`The ${name} cannot be compiled:\n${failure}`);
  return false;
}

/** Puts a built program into a package that ships it, unless it is there or was not built. */
export function copyNative(program, copy) {
  const [built, copied] = [program, copy].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  if (built === 0 || copied >= built) return;
  const draft = `${copy}.new-${process.pid}`;
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(program, draft);
  renameSync(draft, copy);
}

/** The absolute path of a compiler. A relative entry of PATH would run what a repository brings. */
export function findCompiler(names = COMPILERS) {
  const folders = (process.env.PATH ?? "").split(delimiter).filter(isAbsolute);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
}

/** Returns what the compiler says if it fails. */
export function compile(compiler, flags, output, sources) {
  const { status, stderr, error } = spawnSync(compiler, [...flags, "-o", output, ...sources], { encoding: "utf8" });
  return status === 0 ? undefined : (error?.message ?? stderr);
}

export function sourcesIn(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".c"))
    .sort()
    .map((name) => join(folder, name));
}

function isCurrent(output, inputs) {
  const built = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const files = inputs.flatMap((input) =>
    statSync(input).isDirectory() ? readdirSync(input).map((name) => join(input, name)) : [],
  );
  // A folder changes when a source is removed.
  return [...inputs, ...files].every((file) => statSync(file).mtimeMs < built);
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
