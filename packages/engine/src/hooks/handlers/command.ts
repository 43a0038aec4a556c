import { runProcess } from "../../process/runProcess.ts";
import { argvOf, commandTarget, environmentFacts, NO_COMMAND, withheldNote } from "./commandTarget.ts";
import type { HookHandler } from "./handler.ts";

/** A process per event: the input as JSON on standard input, the answer on standard output. */
export const commandHandler: HookHandler = {
  kind: { type: "command", yamlKind: "script", ...commandTarget },
  start: (services) => ({
    run({ hook, value, view, signal }) {
      const argv = argvOf(hook);
      if (argv === undefined) return Promise.resolve(NO_COMMAND);
      const { killGraceMs, outputLimitBytes } = services.getOptions();
      const request = {
        argv,
        stdin: value.bytes(view),
        cwd: services.projectRoot,
        env: services.environment.of(hook, environmentFacts(services)).env,
        timeoutMs: hook.config.timeoutMs,
        killGraceMs,
        outputLimitBytes,
        reportLeftBehind: services.recorded,
      };
      return runProcess(signal ? { ...request, signal } : request, services.groups);
    },
    failureNote: (hook) => withheldNote(services.environment.of(hook, environmentFacts(services))),
  }),
};
