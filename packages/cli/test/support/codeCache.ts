import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import { markOf } from "../../src/start/cacheFile.ts";
import { type CacheContents, packFile, unpackFile } from "../../src/start/cacheFormat.ts";
import type { Machine } from "./machine.ts";

/** The environment of a program that uses the code cache. */
export const CACHED = { HOOKLINE_CODE_CACHE: "on" };

/** The folder of the cache in a machine's home. */
export function cacheFolder(machine: Machine): string {
  const parent = join(machine.home, ".cache/hookline");
  const [name = "", ...others] = readdirSync(parent);
  if (others.length > 0) throw new Error(`Expected one folder, found ${[name, ...others].join(", ")}`);
  return join(parent, name);
}

/** What the cache keeps for a command; undefined where the file is damaged or foreign. */
export function cached(machine: Machine, command: string): CacheContents | undefined {
  const folder = cacheFolder(machine);
  return unpackFile({ bytes: readFileSync(join(folder, command)), mark: markOf(folder) });
}

/** Code in the place of the program's, as someone would leave it who can write to the cache. V8 accepts it: it compares lengths only. */
export function writePoison(machine: Machine, command: string, mark = markOf(cacheFolder(machine))): void {
  const [program] = cached(machine, command)?.scripts ?? [];
  if (program === undefined) throw new Error("Nothing is cached");
  const source = `(function () { process.stdout.write("POISON"); process.exit(7); })`.padEnd(program.size);
  const data = new Script(source).createCachedData();
  const poison = packFile({ modules: ["main"], scripts: [{ ...program, data }] }, mark);
  writeFileSync(join(cacheFolder(machine), command), poison, { mode: 0o600 });
}

/** A folder of the same name in another home, with a copy of the file. */
export function copyCache(from: Machine, to: Machine, command: string): void {
  const folder = cacheFolder(from).replace(from.home, to.home);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, command), readFileSync(join(cacheFolder(from), command)), { mode: 0o600 });
}
