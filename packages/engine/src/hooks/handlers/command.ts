import { runProcess } from "../../process/runProcess.ts";
import { runWhenPossible } from "../../process/runWhenPossible.ts";
import { RunAbort } from "../run/runAbort.ts";
import { argvOf, commandTarget, environmentFacts, NO_COMMAND } from "./commandTarget.ts";
import type { HookHandler } from "./handler.ts";

/** One process per event: the input as JSON on standard input, the answer on standard output. */
export const commandHandler: HookHandler = {
  kind: { type: "command", yamlKind: "script", ...commandTarget },
  start: (services) => ({
    async run(run) {
      const { hook, value, view } = run;
      const argv = argvOf(hook);
      if (argv === undefined) return NO_COMMAND;
      const { openRuns, slots, groups } = services;
      const signal = new RunAbort(run.signal);
      const start = () => {
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
        return runProcess(request, groups);
      };
      openRuns.add(signal);
      try {
        const { ending, waitedMs } = await runWhenPossible(start, slots, signal);
        run.waitedMs = waitedMs;
        return ending;
      } finally {
        openRuns.delete(signal);
        signal.release();
      }
    },
    withheldFrom: (hook) => services.environment.of(hook, environmentFacts(services)).withheld,
  }),
};
