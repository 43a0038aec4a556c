import { sameStamps } from "../../config/values/fileContent.ts";
import type { SpawnRequest } from "../../process/spawnGroup.ts";
import { WarmWorker } from "../../process/warmWorker.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import { StartedFiles } from "../run/startedFiles.ts";
import { argvOf, commandTarget, environmentFacts, NO_COMMAND } from "./commandTarget.ts";
import type { HookHandler, Services } from "./handler.ts";

/** A long-lived process: one JSON line per event in, one per answer out. Worth it for hooks that run often. */
export const workerHandler: HookHandler = {
  kind: { type: "worker", yamlKind: "worker", ignores: ["retries"], ...commandTarget },
  start(services) {
    const workers = new Workers(services);
    return {
      run(run) {
        const { hook, value, view, signal, startedAt, limitMs: timeoutMs } = run;
        const kept = workers.of(hook);
        if (kept === undefined) return Promise.resolve(NO_COMMAND);
        const onSent = () => {
          run.files = kept.files;
        };
        const onWaited = (ms: number) => {
          run.waitedMs = ms;
        };
        const input = value.json(view);
        return kept.worker.ask({ event: hook.eventName, input, timeoutMs, startedAt, signal, onSent, onWaited });
      },
      keeps: true,
      withheldFrom: (hook) => services.environment.ofWorker(hook, environmentFacts(services)).withheld,
      dispose: () => workers.dispose(),
    };
  },
};

interface KeptWorker {
  readonly worker: WarmWorker;
  /** The files that the current process was started from. */
  files: StartedFiles | undefined;
}

/** The workers of one hook system: one per command and environment, however many hooks and events they serve. */
class Workers {
  readonly #services: Services;
  readonly #byProgram = new Map<string, KeptWorker>();
  readonly #byHook = new WeakMap<HookRegistryEntry, KeptWorker>();

  constructor(services: Services) {
    this.#services = services;
  }

  of(hook: HookRegistryEntry): KeptWorker | undefined {
    const known = this.#byHook.get(hook);
    if (known) return known;
    const argv = argvOf(hook);
    if (argv === undefined) return undefined;
    const { env } = this.#services.environment.ofWorker(hook, environmentFacts(this.#services));
    const key = JSON.stringify([argv, Object.entries(env).toSorted()]);
    const kept = this.#byProgram.get(key) ?? this.#keep(hook, { argv, cwd: this.#services.projectRoot, env });
    this.#byProgram.set(key, kept);
    this.#byHook.set(hook, kept);
    return kept;
  }

  #keep({ config }: HookRegistryEntry, program: SpawnRequest): KeptWorker {
    const { groups, slots, getOptions, stampsOf } = this.#services;
    const watchFiles = () => {
      const then = stampsOf(config);
      const files = new StartedFiles(config.target?.files);
      kept.files = files;
      return () => !files.areSwapped && sameStamps(then, stampsOf(config));
    };
    const getLimits = () => ({ ...getOptions(), idleMs: getOptions().workerIdleMs });
    const worker = new WarmWorker({ program, groups, patienceMs: slots.patienceMs, getLimits, watchFiles });
    const kept: KeptWorker = { worker, files: undefined };
    return kept;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#byProgram.values()].map(({ worker }) => worker.dispose()));
  }
}
