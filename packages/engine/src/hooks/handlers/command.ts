import { runProcess } from "../../process/runProcess.ts";
import { runWhenPossible } from "../../process/runWhenPossible.ts";
import { ProcessSpawner } from "../../process/spawner/processSpawner.ts";
import { RunAbort } from "../run/runAbort.ts";
import { argvOf, commandTarget, environmentFacts, NO_COMMAND } from "./commandTarget.ts";
import type { HookHandler, Services, StartedKind } from "./handler.ts";

/** One process per event: the input as JSON on standard input, the answer on standard output. */
export const commandHandler: HookHandler = {
  kind: { type: "command", yamlKind: "script", ...commandTarget },
  start: (services) => start(services, new ProcessSpawner(services.spawnerFile)),
};

function start(services: Services, spawner: ProcessSpawner): StartedKind {
  return {
    async run(run) {
      const { hook, value, view } = run;
      const argv = argvOf(hook);
      if (argv === undefined) return NO_COMMAND;
      const { openRuns, slots, groups } = services;
      const signal = new RunAbort(run.signal);
      const runOnce = () => {
        const { killGraceMs, outputLimitBytes } = services.getOptions();
        const request = {
          argv,
          stdin: value.bytes(view),
          cwd: services.projectRoot,
          env: services.environment.of(hook, environmentFacts(services)).env,
          timeoutMs: run.timeoutMs,
          killGraceMs,
          outputLimitBytes,
          reportLeftBehind: services.recorded,
          signal,
        };
        return runProcess(request, groups, spawner);
      };
      openRuns.add(signal);
      try {
        const { ending, waitedMs } = await runWhenPossible(runOnce, slots, signal);
        run.waitedMs = waitedMs;
        return ending;
      } finally {
        openRuns.delete(signal);
        signal.release();
      }
    },
    withheldFrom: (hook) => services.environment.of(hook, environmentFacts(services)).withheld,
    dispose: () => spawner.dispose(),
  };
}
