import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Script } from "node:vm";
import { markOf, readCacheFile } from "../../src/start/cacheFile.ts";
import { type CompiledScript, packScript, unpackScript } from "../../src/start/cacheFormat.ts";
import { type Files, Machine } from "./machine.ts";

/** A machine with its own code cache, which is empty. Others share one. */
export function uncachedMachine(files?: Files): Machine {
  const machine = new Machine(files);
  rmSync(join(machine.home, ".cache"));
  return machine;
}

/** The folder of the cache in a machine's home. */
export function cacheFolder(machine: Machine): string {
  const parent = join(machine.home, ".cache/hookline");
  const [name = "", ...others] = readdirSync(parent);
  if (others.length > 0) throw new Error(`Expected one folder, found ${[name, ...others].join(", ")}`);
  return join(parent, name);
}

/** The file of the cache for the script that every start reads first, as a command uses it. */
export function frontFile(command: string): string {
  return `${command}-front.cjs`;
}

/** What the cache keeps in a file; undefined where that is damaged or foreign. */
export function cachedScript(machine: Machine, name: string): CompiledScript | undefined {
  const folder = cacheFolder(machine);
  const file = readCacheFile({ homeDir: machine.home, folder: basename(folder), name });
  return file && unpackScript(file);
}

/** The modules that the cache keeps for a command, of all scripts. */
export function cachedModules(machine: Machine, command: string): readonly string[] {
  return cachedFiles(machine, command).flatMap((name) => cachedScript(machine, name)?.modules ?? []);
}

/** The files of the cache that a command uses. */
export function cachedFiles(machine: Machine, command: string): readonly string[] {
  return readdirSync(cacheFolder(machine))
    .filter((name) => name.startsWith(`${command}-`))
    .sort();
}

/** Code in the place of the program's, as someone would leave it who can write to the cache. V8 accepts it: it compares lengths only. */
export function writePoison(machine: Machine, name: string, mark = markOf(cacheFolder(machine))): void {
  const script = cachedScript(machine, name);
  if (script === undefined) throw new Error("Nothing is cached");
  const source = `(function () { process.stdout.write("POISON"); process.exit(7); })`.padEnd(script.size);
  const data = new Script(source).createCachedData();
  const poison = packScript({ ...script, modules: ["main"], data }, mark);
  writeFileSync(join(cacheFolder(machine), name), Buffer.concat([poison, poison]), { mode: 0o600 });
}

/** A folder of the same name in another home, with a copy of the file. */
export function copyCache(from: Machine, to: Machine, name: string): void {
  const folder = cacheFolder(from).replace(from.home, to.home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), readFileSync(join(cacheFolder(from), name)), { mode: 0o600 });
}
