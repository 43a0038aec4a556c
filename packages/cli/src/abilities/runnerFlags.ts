import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { HooklineError } from "@hookline/engine";
import { errorText } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import type { Option } from "../terminal/command.ts";
import { hasTerminal } from "../terminal/hasTerminal.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { type Caller, currentUser, detectCaller, SOURCES } from "./caller.ts";

type Options = Readonly<Record<string, unknown>>;

export const INPUT_OPTION: Option = {
  flags: "--input <json>",
  description: "the input as JSON, as @file, or - for standard input",
};
export const ENV_OPTION: Option = {
  flags: "--env <name>",
  description: "the environment: dev, staging, prod; default: $HOOKLINE_ENV",
};
export const TRUST_OPTION: Option = {
  flags: "--trust-project",
  description: "trust the code of this project in its current state, for this run",
};
/** Override the detected caller. */
export const CALLER_OPTIONS: readonly Option[] = [
  { flags: "--source <source>", description: `the caller, for hooks: ${SOURCES.join(", ")}`, completes: SOURCES },
  { flags: "--job-id <id>", description: "the job or pipeline" },
  { flags: "--triggered-by <name>", description: "the person or system behind the call; default: the current user" },
];

/** Reads `{"a":1}`, `@file` or `-`; the default is an empty object. */
export async function readAbilityInput(io: Io, given: string | undefined): Promise<unknown> {
  if (given === undefined) return {};
  const from = given === "-" ? "standard input" : given.startsWith("@") ? given.slice(1) : "--input";
  try {
    return JSON.parse(await inputText(io, given));
  } catch (cause) {
    if (cause instanceof HooklineError || !(cause instanceof SyntaxError)) throw cause;
    const next = `Write --input '{"name": "value"}', --input @file.json, or --input - to pipe it in.`;
    throw new ProgramError({
      code: "ABILITY_INPUT_INVALID",
      what: `${from} is not JSON: ${cause.message}.`,
      next,
      cause,
    });
  }
}

async function inputText(io: Io, given: string): Promise<string> {
  if (given === "-") return io.readStdin();
  if (!given.startsWith("@")) return given;
  const file = resolve(io.cwd, given.slice(1));
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const what = `The input cannot be read: ${errorText(cause)}.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, cause });
  }
}

/** The detected caller with the overrides of the options. A process of an agent cannot claim another source. */
export function readCaller(io: Io, options: Options): Caller {
  const isTerminal = io.interactive || io.stdoutIsTTY || io.stderrIsTTY || hasTerminal();
  const detected = detectCaller({ env: io.env, hasTerminal: isTerminal, user: currentUser() });
  const given = textIn(options, "source");
  const source = given === undefined ? detected.source : oneOf(given, SOURCES, "--source");
  if (detected.source === "ai_session" && source !== "ai_session") {
    const what = `An agent's session started this command, so its source cannot be "${source}".`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Omit --source." });
  }
  const job = textIn(options, "jobId");
  const by = textIn(options, "triggeredBy");
  const { job_id, session_id, triggered_by } = detected;
  return {
    source,
    ...(source === "ai_session" && session_id !== undefined ? { session_id } : {}),
    ...optional("job_id", job ?? (source === detected.source ? job_id : undefined)),
    ...optional("triggered_by", by ?? triggered_by),
  };
}

/** The environment for abilities. A process of an agent stays in its operator's environment. */
export function readEnvironment(io: Io, options: Options, caller: Caller): string | undefined {
  const operators = io.env.HOOKLINE_ENV || undefined;
  const named = textIn(options, "env");
  if (caller.source === "ai_session" && named !== undefined && operators !== undefined && named !== operators) {
    const what = `An agent's session for ${operators} started this command, so it cannot use "${named}".`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Omit --env." });
  }
  return named ?? operators;
}

function optional<Name extends string>(name: Name, value: string | undefined): { readonly [Key in Name]?: string } {
  const none: { readonly [Key in Name]?: string } = {};
  return value === undefined ? none : { ...none, [name]: value };
}
