import { z } from "zod";
import { resolveCommand } from "../../config/hooks/commandLookup.ts";
import type { KindSpec } from "../../config/hooks/hookDeclaration.ts";
import { findShell, toArgv } from "../../process/shellCommand.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { EnvironmentFacts } from "../run/hookEnvironment.ts";
import type { Services } from "./handler.ts";
import { once } from "./once.ts";
import { isStartedText, startedText } from "./startedText.ts";

/** The longest argument that Linux passes to a program, including the terminating NUL. */
const LONGEST_BYTES = 128 * 1024;

const schema = once(() =>
  z.object({
    command: startedText()
      .refine(canBePassed, {
        error: "it is longer than 128 KiB, the system's limit; put it into a script",
      })
      .describe("the program to start, with its arguments, or shell text"),
  }),
);

function isCommand(given: Readonly<Record<string, unknown>>): given is { readonly command: string } {
  return isStartedText(given.command) && canBePassed(given.command);
}

function canBePassed(text: string): boolean {
  return Buffer.byteLength(text) < LONGEST_BYTES;
}

/** Common to all kinds that start a program: how the program is named and looked up. */
export const commandTarget: Pick<KindSpec, "fields" | "resolve"> = {
  fields: { names: ["command"], areFine: isCommand, schema },
  resolve(given, lookup) {
    const { command: written } = isCommand(given) ? given : schema().parse(given);
    const { text, files, uncovered } = resolveCommand(written, lookup);
    const argv = toArgv(text, { path: lookup.path, shell: findShell(lookup.path) });
    return { fields: { command: text, argv }, identity: text, written, files, uncovered };
  },
};

/** The program and its arguments, as resolved at load. */
export function argvOf({ config }: HookRegistryEntry): readonly [string, ...string[]] | undefined {
  const argv = config.target?.fields.argv;
  return isArgv(argv) ? argv : undefined;
}

export const NO_COMMAND = { kind: "notStarted", cause: new Error("there is no command to start") } as const;

export function environmentFacts(services: Services): EnvironmentFacts {
  return {
    projectRoot: services.projectRoot,
    sessionId: services.getSessionId(),
    workingDir: services.getWorkingDir(),
    parent: services.getEventEnv(),
    passEnv: services.getOptions().passEnv,
  };
}

function isArgv(value: unknown): value is [string, ...string[]] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}
