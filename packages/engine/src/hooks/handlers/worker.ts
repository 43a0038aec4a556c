import { sameStamps } from "../../config/fingerprint.ts";
import { WarmWorker } from "../../process/warmWorker.ts";
import type { HookRegistryEntry } from "../hookRegistry.ts";
import { argvOf, commandTarget, environmentFacts, NO_COMMAND } from "./commandTarget.ts";
import type { HookHandler, Services } from "./handler.ts";

/** A process that stays: a JSON line per event in, one per answer out. Worth it where a hook is asked again and again. */
export const workerHandler: HookHandler = {
  kind: { type: "worker", yamlKind: "worker", ignores: ["retries"], ...commandTarget },
  start(services) {
    const workers = new Workers(services);
    return {
      run(run) {
        const { hook, value, view, signal, startedAt } = run;
        const worker = workers.of(hook);
        if (worker === undefined) return Promise.resolve(NO_COMMAND);
        run.isFromMemory = worker.isWarm;
        const { timeoutMs } = hook.config;
        const onWaited = (ms: number) => {
          run.waitedMs = ms;
        };
        return worker.ask({ event: hook.eventName, input: value.json(view), timeoutMs, startedAt, signal, onWaited });
      },
      withheldFrom: (hook) => services.environment.ofWorker(hook, environmentFacts(services)).withheld,
      dispose: () => workers.dispose(),
    };
  },
};

/** The workers of one hook system: one per command and environment, however many hooks and events they serve. */
class Workers {
  readonly #services: Services;
  readonly #byProgram = new Map<string, WarmWorker>();
  readonly #byHook = new WeakMap<HookRegistryEntry, WarmWorker>();

  constructor(services: Services) {
    this.#services = services;
  }

  of(hook: HookRegistryEntry): WarmWorker | undefined {
    const known = this.#byHook.get(hook);
    if (known) return known;
    const argv = argvOf(hook);
    if (argv === undefined) return undefined;
    const { projectRoot: cwd, environment, groups, slots, getOptions, stampsOf } = this.#services;
    const { env } = environment.ofWorker(hook, environmentFacts(this.#services));
    const key = JSON.stringify([argv, Object.entries(env).toSorted()]);
    const worker =
      this.#byProgram.get(key) ??
      new WarmWorker({
        program: { argv, cwd, env },
        groups,
        patienceMs: slots.patienceMs,
        getLimits: () => ({ ...getOptions(), idleMs: getOptions().workerIdleMs }),
        watchFiles: () => {
          const then = stampsOf(hook.config);
          return () => sameStamps(then, stampsOf(hook.config));
        },
      });
    this.#byProgram.set(key, worker);
    this.#byHook.set(hook, worker);
    return worker;
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#byProgram.values()].map((worker) => worker.dispose()));
  }
}
