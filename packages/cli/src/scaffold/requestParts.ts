import { HooklineError } from "@hookline/engine";
import type { Option } from "../terminal/command.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";
import type { Person } from "./askPerson.ts";
import { LANGUAGES, type Language } from "./languages.ts";

export type Options = Readonly<Record<string, unknown>>;

export const ID_OPTION: Option = { flags: "--id <id>", description: "its name, in kebab- or snake-case" };
export const SUMMARY_OPTION: Option = { flags: "--summary <text>", description: "what it is for, in a sentence" };
export const LANGUAGE_OPTION: Option = {
  flags: "--language <language>",
  description: `what its program is written in: ${LANGUAGES.join(", ")}; default sh`,
  completes: LANGUAGES,
};

const ID = /^[a-z0-9]+([-_][a-z0-9]+)*$/;
const ID_RULE = 'lower-case words and digits, joined by "-" or "_"';

/** The id becomes part of file names and commands, so only safe characters are allowed. */
export async function readId(options: Options, person: Person | undefined): Promise<string> {
  const check = (text: string) => (ID.test(text) ? undefined : `Write ${ID_RULE}.`);
  const id = textIn(options, "id") ?? (await needed(person, "--id").type("What is its name?", { check }));
  if (ID.test(id)) return id;
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: `--id is ${JSON.stringify(id)}; it must be ${ID_RULE}.`,
    next: "Write an id such as no-secrets.",
  });
}

export async function readLanguage(options: Options, person: Person | undefined): Promise<Language> {
  const given = textIn(options, "language");
  if (given !== undefined) return oneOf(given, LANGUAGES, "--language");
  if (person === undefined) return "sh";
  const chosen = await person.choose("In which language?", [
    { value: "sh", hint: "POSIX shell, needs nothing" },
    { value: "python", hint: "needs python3" },
    { value: "node" },
  ]);
  return oneOf(chosen, LANGUAGES, "--language");
}

export async function readSummary(options: Options, person: Person | undefined, preset: string): Promise<string> {
  const given = textIn(options, "summary")?.trim();
  if (given) return given;
  return person === undefined ? preset : person.type("What is it for?", { preset });
}

/** The user, to ask for a missing flag. Throws without a terminal. */
export function needed(person: Person | undefined, flag: string): Person {
  if (person) return person;
  const what = `${flag} is missing, and there is no terminal to ask for it.`;
  throw new HooklineError({ code: "OPTION_INVALID", what, next: `Pass ${flag}; \`--help\` shows an example.` });
}

export function refuse(what: string, next?: string): never {
  throw new HooklineError({ code: "OPTION_INVALID", what, ...(next === undefined ? {} : { next }) });
}
