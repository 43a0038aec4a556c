import { z } from "zod";
import { findFile } from "../../config/hooks/commandLookup.ts";
import { type FileStamp, sameStamps } from "../../config/values/fileContent.ts";
import { HooklineError } from "../../errors.ts";
import { isShortage, Patience } from "../../process/shortage.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import { StartedFiles } from "../run/startedFiles.ts";
import { ActionCall } from "./actionCall.ts";
import type { HookHandler } from "./handler.ts";
import { loadPlugin, type Plugin } from "./loadPlugin.ts";
import { once } from "./once.ts";
import { isStartedText, startedText } from "./startedText.ts";

const schema = once(() =>
  z.object({ module: startedText().describe("a JavaScript file whose default export is called, in this process") }),
);

function isModule(given: Readonly<Record<string, unknown>>): given is { readonly module: string } {
  return isStartedText(given.module);
}

/** A module in this process: one function, or one per event. */
export const pluginHandler: HookHandler = {
  kind: {
    type: "plugin",
    yamlKind: "plugin",
    fields: { names: ["module"], areFine: isModule, schema },
    ignores: ["env", "passEnv", "retries"],
    keepsFiles: true,
    resolve(given, lookup) {
      const { module } = isModule(given) ? given : schema().parse(given);
      const file = findFile(module, lookup);
      assertLoadable(file);
      return { fields: { module: file }, identity: file, files: [file], uncovered: [`what ${module} imports`] };
    },
  },
  start(services) {
    const { eventNames, slots, stampsOf } = services;
    const loads = new PluginLoads(eventNames, slots.patienceMs);
    const stampsAtFirst = new WeakMap<HookRegistryEntry, readonly FileStamp[]>();
    // The trust gate has just checked the files of declared hooks. A plugin of the embedding program stays as it was when
    // first used.
    const stampsFor = (hook: HookRegistryEntry) => {
      if (hook.source !== "runtime") return stampsOf(hook.config);
      const stamps = stampsAtFirst.get(hook) ?? stampsOf(hook.config);
      stampsAtFirst.set(hook, stamps);
      return stamps;
    };
    return {
      run: (run) =>
        new Promise((resolve) => {
          const { config, eventName } = run.hook;
          const file = config.target?.files[0];
          if (file === undefined)
            return resolve({ kind: "notStarted", cause: new Error("there is no module to load") });
          const load = loads.of(file, stampsFor(run.hook));
          const { plugin } = load;
          run.files = load.files;
          const call = new ActionCall(run, services, resolve);
          if (typeof plugin === "function") call.start(plugin(eventName));
          else
            call.startWhen(
              plugin.then((loaded) => loaded(eventName)),
              () => load.isShort,
            );
        }),
      keeps: true,
    };
  },
};

function assertLoadable(file: string): void {
  if (!/\.[cm]?ts$/.test(file) || ("typescript" in process.features && process.features.typescript)) return;
  throw new HooklineError({
    code: "CONFIG_INVALID",
    what: `${file} is TypeScript, which this Node (${process.version}) cannot load.`,
    next: "Compile it to JavaScript, or use Node 22.18 or newer.",
  });
}

interface Load {
  readonly stamps: readonly FileStamp[];
  readonly files: StartedFiles;
  plugin: Plugin | Promise<Plugin>;
  failedAt: number;
  /** It waits for descriptors. */
  isShort: boolean;
}

/** The cause of a failed load may be in another file, so retry; but not at every event, since Node keeps every attempt. */
const RETRY_AFTER_MS = 1_000;

/** The plugin of a file, once per state of the file; while loading, its promise. */
class PluginLoads {
  readonly #eventNames: readonly string[];
  readonly #patienceMs: number;
  readonly #byFile = new Map<string, Load>();

  constructor(eventNames: readonly string[], patienceMs: number) {
    this.#eventNames = eventNames;
    this.#patienceMs = patienceMs;
  }

  of(file: string, stamps: readonly FileStamp[]): Load {
    const load = this.#byFile.get(file);
    const counts = load && sameStamps(load.stamps, stamps) && !isDue(load) && !load.files.areSwapped;
    return counts ? load : this.#begin(file, stamps);
  }

  #begin(file: string, stamps: readonly FileStamp[]): Load {
    const onShort = () => {
      load.isShort = true;
    };
    const files = new StartedFiles([file]);
    const loading = loadWhenPossible(() => loadPlugin(file, this.#eventNames), this.#patienceMs, onShort);
    const load: Load = { stamps, files, plugin: loading, failedAt: Number.POSITIVE_INFINITY, isShort: false };
    this.#byFile.set(file, load);
    loading.then(
      (plugin) => {
        load.plugin = plugin;
      },
      () => {
        load.failedAt = performance.now();
      },
    );
    return load;
  }
}

/** Retries while the machine is out of descriptors, up to a limit. */
async function loadWhenPossible(load: () => Promise<Plugin>, patienceMs: number, onShort: () => void): Promise<Plugin> {
  const patience = new Patience(patienceMs);
  for (;;) {
    try {
      return await load();
    } catch (error) {
      if (!isShortage(error)) throw error;
      onShort();
      if (!(await patience.pause())) throw error;
    }
  }
}

function isDue({ plugin, failedAt }: Load): boolean {
  return typeof plugin !== "function" && performance.now() - failedAt > RETRY_AFTER_MS;
}
