import { z } from "zod";
import { resolveCommand } from "../../config/commandLookup.ts";
import { runProcess } from "../../process/runProcess.ts";
import { findShell, toArgv } from "../../process/shellCommand.ts";
import type { HookRegistryEntry } from "../hookRegistry.ts";
import type { HookHandler, Services } from "./handler.ts";

const fields = z.object({
  command: z
    .string({ error: "it must be text" })
    .regex(/\S/, { error: "it must not be empty" })
    .regex(/^[^\0]*$/, { error: "it must not hold a NUL character" })
    .describe("the program to start, with its arguments, or shell text"),
});

/** A process per event: the input as JSON on standard input, the answer on standard output. */
export const commandHandler: HookHandler = {
  kind: {
    type: "command",
    yamlKind: "script",
    fields,
    resolve(given, lookup) {
      const { text, files, uncovered } = resolveCommand(fields.parse(given).command, lookup);
      const argv = toArgv(text, { path: lookup.path, shell: findShell(lookup.path) });
      return { fields: { command: text, argv }, identity: text, files, uncovered };
    },
  },
  start: (services) => ({
    run({ hook, value, view, signal }) {
      const argv = hook.config.target?.fields.argv;
      if (!isArgv(argv))
        return Promise.resolve({ kind: "notStarted", cause: new Error("there is no command to start") });
      const { killGraceMs, outputLimitBytes } = services.getOptions();
      const request = {
        argv,
        stdin: value.bytes(view),
        cwd: services.projectRoot,
        env: environmentOf(hook, services).env,
        timeoutMs: hook.config.timeoutMs,
        killGraceMs,
        outputLimitBytes,
        reportLeftBehind: services.recorded,
      };
      return runProcess(signal ? { ...request, signal } : request, services.groups);
    },
    failureNote(hook) {
      const { withheld } = environmentOf(hook, services);
      if (withheld.length === 0) return undefined;
      return `Withheld from its environment: ${withheld.join(", ")}. Name what it needs in passEnv.`;
    },
  }),
};

function isArgv(value: unknown): value is [string, ...string[]] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}

function environmentOf(hook: HookRegistryEntry, services: Services) {
  return services.environment.of(hook, {
    projectRoot: services.projectRoot,
    sessionId: services.getSessionId(),
    workingDir: services.getWorkingDir(),
    passEnv: services.getOptions().passEnv,
  });
}
