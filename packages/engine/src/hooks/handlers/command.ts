import { z } from "zod";
import { resolveCommand } from "../../config/commandLookup.ts";
import { runProcess } from "../../process/runProcess.ts";
import { scrubEnvironment } from "../../process/scrubEnvironment.ts";
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
const resolved = z.object({ argv: z.tuple([z.string()], z.string()) });

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
  run({ hook, value, view, signal }, services) {
    const { killGraceMs, outputLimitBytes } = services.options;
    const { env } = environmentOf(hook, services);
    const request = {
      argv: resolved.parse(hook.config.target?.fields).argv,
      stdin: value.bytes(view),
      cwd: services.projectRoot,
      env: { ...env, ...eventVariables(hook, services), ...hook.config.env },
      timeoutMs: hook.config.timeoutMs,
      killGraceMs,
      outputLimitBytes,
    };
    return runProcess(signal ? { ...request, signal } : request, services.groups);
  },
  failureNote(hook, services) {
    const { withheld } = environmentOf(hook, services);
    if (withheld.length === 0) return undefined;
    return `Withheld from its environment: ${withheld.join(", ")}. Name what it needs in passEnv.`;
  },
};

function environmentOf({ config }: HookRegistryEntry, { options }: Services) {
  return scrubEnvironment(process.env, [...options.passEnv, ...config.passEnv]);
}

/** Values reach a command as environment only; they are never pasted into shell text. */
function eventVariables({ eventName }: HookRegistryEntry, services: Services): Record<string, string> {
  const [project, session] = [services.projectRoot, services.getSessionId()];
  return {
    HOOKLINE_PROJECT_DIR: project,
    HOOKLINE_SESSION_ID: session,
    HOOKLINE_EVENT: eventName,
    GEMINI_PROJECT_DIR: project,
    GEMINI_CWD: services.getWorkingDir(),
    GEMINI_SESSION_ID: session,
    CLAUDE_PROJECT_DIR: project,
  };
}
