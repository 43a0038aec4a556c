import { type CachePlace, readCacheFile, writeCacheFile } from "./cacheFile.ts";
import { type CompiledScript, packScript, type ScriptFacts, unpackScript } from "./cacheFormat.ts";

interface CommandPlace extends Omit<CachePlace, "name"> {
  readonly command: string;
}

/** V8's compiled code from earlier runs of this command: one file per script, read with the script and written at exit if more was compiled. */
export class CodeCache {
  readonly #place: CommandPlace;
  readonly #scripts = new Map<string, CompiledScript | undefined>();

  constructor(place: CommandPlace) {
    this.#place = place;
  }

  /** Undefined unless the script is unchanged: V8 itself compares only the length of its text. */
  dataOf(facts: ScriptFacts): Buffer | undefined {
    return this.#known(facts)?.data;
  }

  /** Whether all of these modules of the script have run before. */
  hasAll(facts: ScriptFacts, modules: readonly string[]): boolean {
    const known = this.#known(facts)?.modules ?? [];
    return modules.every((name) => known.includes(name));
  }

  /** Writes the modules of earlier runs and of this one: V8's data includes both. */
  write(script: CompiledScript): void {
    const modules = [...new Set([...(this.#known(script)?.modules ?? []), ...script.modules])];
    writeCacheFile(this.#placeOf(script), (mark) => packScript({ ...script, modules }, mark));
  }

  #known(facts: ScriptFacts): CompiledScript | undefined {
    const known = this.#scripts.has(facts.file) ? this.#scripts.get(facts.file) : this.#read(facts);
    return known?.size === facts.size && known.mtimeMs === facts.mtimeMs ? known : undefined;
  }

  #read(facts: ScriptFacts): CompiledScript | undefined {
    const file = readCacheFile(this.#placeOf(facts));
    const found = file && unpackScript(file);
    this.#scripts.set(facts.file, found);
    return found;
  }

  #placeOf({ file }: ScriptFacts): CachePlace {
    const { command, ...place } = this.#place;
    return { ...place, name: `${command}-${file}` };
  }
}
