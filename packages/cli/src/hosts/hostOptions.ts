import { HooklineError } from "@hookline/engine";
import type { CliOptions, Option, Parameter } from "../terminal/command.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { CLIENTS } from "./clients/index.ts";
import type { ClientKind } from "./programPlace.ts";
import { LEVELS, type Level, type Seat } from "./seat.ts";
import { seatNamed } from "./seatNamed.ts";
import { HOST_NAMES } from "./seats.ts";

export const HOSTS: Parameter = {
  name: "host",
  description: HOST_NAMES.join(", "),
  required: true,
  many: true,
  completes: HOST_NAMES,
};

export const DRY_RUN: Option = { flags: "--dry-run", description: "show what would be written, and write nothing" };

export const CLIENT_KINDS: readonly ClientKind[] = CLIENTS.map(({ kind }) => kind);

export function clientIn({ options }: Pick<CliOptions, "options">): ClientKind | undefined {
  const given = textIn(options, "client");
  return given === undefined ? undefined : oneOf(given, CLIENT_KINDS, "--client");
}

export function seatsIn({ args }: Pick<CliOptions, "args">, isFor?: string): readonly Seat[] {
  return [...new Set(args)].map((name) => seatNamed(name, isFor));
}

export function levelIn({ options }: Pick<CliOptions, "options">): Level | undefined {
  const given = LEVELS.filter((level) => options[level] === true);
  if (given.length < 2) return given[0];
  const what = `Only one of ${given.map((level) => `--${level}`).join(", ")} can be given.`;
  throw new HooklineError({ code: "OPTION_INVALID", what });
}
