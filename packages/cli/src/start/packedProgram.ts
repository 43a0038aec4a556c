import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";
import type { ScriptFacts } from "./cacheFormat.ts";
import type { CodeCache } from "./codeCache.ts";

type Exports = Record<string, unknown>;
type Load = (name: string) => Exports;
type Import = (url: string) => Promise<unknown>;
type Module = (exports: Exports, load: Load, importModule: Import, require: NodeJS.Require, filename: string) => void;

interface LoadedScript {
  readonly facts: ScriptFacts;
  readonly script: Script;
  readonly modules: Readonly<Record<string, Module>>;
}

export interface PackedProgramOptions {
  /** The folder of the scripts that `scripts/packProgram.mjs` wrote. */
  readonly folder: string;
  /** The file name that the modules see as their own. */
  readonly filename: string;
  readonly require: NodeJS.Require;
  /** Imports plugins: scripts that run through `vm.Script` have no `import()`. */
  readonly importModule: Import;
  readonly cache?: CodeCache | undefined;
}

/** Runs modules at their first use. One script has the modules that every start needs, another our remaining ones; each package has its own. */
export class PackedProgram {
  readonly #options: PackedProgramOptions;
  readonly #scripts = new Map<string, LoadedScript>();
  readonly #loaded = new Map<string, Exports>();

  constructor(options: PackedProgramOptions) {
    this.#options = options;
  }

  readonly load: Load = (name) => {
    const known = this.#loaded.get(name);
    if (known !== undefined) return known;
    const module = this.#moduleNamed(name);
    if (module === undefined) throw new Error(`The program has no module ${name}.`);
    const exports: Exports = {};
    this.#loaded.set(name, exports);
    const { importModule, require, filename } = this.#options;
    module(exports, this.load, importModule, require, filename);
    return exports;
  };

  /** The names of the modules that have run. */
  get modules(): readonly string[] {
    return [...this.#loaded.keys()];
  }

  /** Writes the code cache for the next start of the same command. */
  writeCache(): void {
    const { cache } = this.#options;
    for (const { facts, script, ...table } of this.#scripts.values()) {
      const modules = this.modules.filter((name) => Object.hasOwn(table.modules, name));
      // V8 rejects code that was compiled with other options.
      const isComplete = script.cachedDataRejected === false && cache?.hasAll(facts, modules);
      if (!isComplete) cache?.write({ ...facts, modules, data: script.createCachedData() });
    }
  }

  #moduleNamed(name: string): Module | undefined {
    if (name.startsWith("package-")) return this.#script(`${name}.cjs`).modules[name];
    return this.#script("front.cjs").modules[name] ?? this.#script("program.cjs").modules[name];
  }

  #script(file: string): LoadedScript {
    const known = this.#scripts.get(file);
    if (known !== undefined) return known;
    const script = this.#loadScript(file);
    this.#scripts.set(file, script);
    return script;
  }

  #loadScript(file: string): LoadedScript {
    const filename = join(this.#options.folder, file);
    const { text, ...stats } = readText(filename);
    const facts = { file, ...stats };
    const cachedData = this.#options.cache?.dataOf(facts);
    const script = new Script(text, {
      filename,
      ...(cachedData === undefined ? {} : { cachedData }),
    });
    return { facts, script, modules: script.runInThisContext()({}) };
  }
}

/** Decodes as Latin-1: the scripts are ASCII only. */
function readText(path: string): { text: string; size: number; mtimeMs: number } {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    const bytes = Buffer.allocUnsafeSlow(size);
    readSync(file, bytes, 0, size, 0);
    return { text: bytes.toString("latin1"), size, mtimeMs };
  } finally {
    closeSync(file);
  }
}
