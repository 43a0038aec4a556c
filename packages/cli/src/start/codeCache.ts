import { type CachePlace, readCacheFile, writeCacheFile } from "./cacheFile.ts";
import { type CompiledScript, packFile, type ScriptFacts, unpackFile } from "./cacheFormat.ts";

/** What V8 compiled when this command ran before: read at the start of the program, and written at its end if that needed more. */
export class CodeCache {
  readonly #place: CachePlace;
  readonly #scripts = new Map<string, CompiledScript>();
  readonly #modules: Set<string>;

  constructor(place: CachePlace) {
    this.#place = place;
    const file = readCacheFile(place);
    const found = file && unpackFile(file);
    this.#modules = new Set(found?.modules);
    for (const script of found?.scripts ?? []) this.#scripts.set(script.file, script);
  }

  /** Undefined where nothing is known about the script as it is now: V8 compares the length of its text only. */
  dataOf({ file, size, mtimeMs }: ScriptFacts): Buffer | undefined {
    const known = this.#scripts.get(file);
    return known?.size === size && known.mtimeMs === mtimeMs ? known.data : undefined;
  }

  /** Whether all of these modules ran before. */
  hasAll(modules: readonly string[]): boolean {
    return modules.every((name) => this.#modules.has(name));
  }

  /** Keeps what earlier runs of the command needed beside what this one did. */
  write(modules: readonly string[], scripts: readonly CompiledScript[]): void {
    const compiled = new Map([...this.#scripts, ...scripts.map((script) => [script.file, script] as const)]);
    const contents = { modules: [...new Set([...this.#modules, ...modules])], scripts: [...compiled.values()] };
    writeCacheFile(this.#place, (mark) => packFile(contents, mark));
  }
}
