import { ABILITY_KINDS, type AbilityKind } from "../declarations/abilities/abilityDeclaration.ts";
import type { Option } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import { type Person, personAt } from "./askPerson.ts";
import type { Language } from "./languages.ts";
import {
  ID_OPTION,
  LANGUAGE_OPTION,
  needed,
  type Options,
  readId,
  readLanguage,
  readSummary,
  refuse,
  SUMMARY_OPTION,
} from "./requestParts.ts";

export type Implementation =
  | { readonly kind: "script"; readonly language: Language }
  | { readonly kind: "http"; readonly url: string }
  | { readonly kind: "mcp"; readonly server: string; readonly tool: string };

export interface AbilityRequest {
  readonly id: string;
  readonly summary: string;
  readonly implementation: Implementation;
}

export const ABILITY_OPTIONS: readonly Option[] = [
  ID_OPTION,
  {
    flags: "--kind <kind>",
    description:
      "script (a program of this project), http (an endpoint), or mcp (a tool of an MCP server); default script",
    completes: ABILITY_KINDS,
  },
  LANGUAGE_OPTION,
  { flags: "--url <url>", description: "http: the endpoint" },
  { flags: "--server <name>", description: "mcp: the server, by its name in mcpServers" },
  { flags: "--tool <name>", description: "mcp: the tool, as the server calls it" },
  SUMMARY_OPTION,
];

/** The flags that only one kind accepts. */
const FLAGS_OF: Readonly<Record<AbilityKind, readonly string[]>> = {
  script: ["language"],
  http: ["url"],
  mcp: ["server", "tool"],
};

/** Reads the flags. If a required one is missing, asks the user at a terminal for it and for the optional ones. */
export async function readAbilityRequest(io: Io, options: Options): Promise<AbilityRequest> {
  const person = isComplete(options) ? undefined : await personAt(io, { json: options.json === true });
  const id = await readId(options, person);
  const kind = await readKind(options, person);
  for (const [other, flags] of Object.entries(FLAGS_OF)) {
    const given = flags.find((flag) => other !== kind && options[flag] !== undefined);
    if (given)
      refuse(`An ability of kind ${kind} does not accept --${given}.`, `Leave it out, or pass --kind ${other}.`);
  }
  const implementation = await readImplementation(kind, options, person);
  return { id, implementation, summary: await readSummary(options, person, `Describe here what ${id} does.`) };
}

function isComplete(options: Options): boolean {
  const kind = ABILITY_KINDS.find((one) => one === (options.kind ?? "script"));
  const flags = kind === undefined || kind === "script" ? [] : FLAGS_OF[kind];
  return ["id", ...flags].every((flag) => textIn(options, flag) !== undefined);
}

async function readKind(options: Options, person: Person | undefined): Promise<AbilityKind> {
  const given = textIn(options, "kind");
  if (given !== undefined) return oneOf(given, ABILITY_KINDS, "--kind");
  const chosen = await person?.choose("What does it?", [
    { value: "script", hint: "a program of this project" },
    { value: "http", hint: "an endpoint" },
    { value: "mcp", hint: "a tool of an MCP server" },
  ]);
  return oneOf(chosen ?? "script", ABILITY_KINDS, "--kind");
}

async function readImplementation(
  kind: AbilityKind,
  options: Options,
  person: Person | undefined,
): Promise<Implementation> {
  const text = async (flag: string, question: string) =>
    textIn(options, flag) ?? (await needed(person, `--${flag}`).type(question, { check: notEmpty }));
  switch (kind) {
    case "script":
      return { kind, language: await readLanguage(options, person) };
    case "http":
      return { kind, url: await text("url", "Which URL receives its input?") };
    case "mcp":
      return {
        kind,
        server: await text("server", "Which server of mcpServers?"),
        tool: await text("tool", "Which of its tools?"),
      };
  }
}

function notEmpty(text: string): string | undefined {
  return text.trim() === "" ? "It cannot be empty." : undefined;
}
