import { type CachePlace, readCacheFile, writeCacheFile } from "./cacheFile.ts";
import { type CompiledScript, packScript, type ScriptFacts, unpackScript } from "./cacheFormat.ts";

interface CommandPlace extends Omit<CachePlace, "name"> {
  readonly command: string;
}

/** What V8 compiled when this command ran before: a file per script, read when the script is loaded, and written at the end if that needed more. */
export class CodeCache {
  readonly #place: CommandPlace;
  readonly #scripts = new Map<string, CompiledScript | undefined>();

  constructor(place: CommandPlace) {
    this.#place = place;
  }

  /** Undefined where nothing is known about the script as it is now: V8 compares the length of its text only. */
  dataOf(facts: ScriptFacts): Buffer | undefined {
    return this.#known(facts)?.data;
  }

  /** Whether all of these modules of the script ran before. */
  hasAll(facts: ScriptFacts, modules: readonly string[]): boolean {
    const known = this.#known(facts)?.modules ?? [];
    return modules.every((name) => known.includes(name));
  }

  /** Keeps what earlier runs of the command needed beside what this one did: V8's data has both. */
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
