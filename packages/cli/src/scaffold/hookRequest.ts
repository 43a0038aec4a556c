import { globFault } from "@hookline/engine/program";
import { allEvents, eventNamed, type NamedEvent } from "../project/eventNamed.ts";
import type { Option } from "../terminal/command.ts";
import type { Io } from "../terminal/io.ts";
import { textIn } from "../terminal/optionValues.ts";
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

export interface HookRequest {
  readonly id: string;
  readonly event: NamedEvent;
  readonly language: Language;
  readonly worker: boolean;
  readonly summary: string;
  readonly matcher?: string;
  readonly abilityScope?: readonly string[];
}

export const HOOK_OPTIONS: readonly Option[] = [
  { flags: "--event <event>", description: "the event it runs on", completes: "events" },
  ID_OPTION,
  LANGUAGE_OPTION,
  { flags: "--matcher <regex>", description: "which tools, sources or reasons it is for; default: all" },
  { flags: "--ability-scope <globs>", description: "which abilities it is for, separated by commas; default: all" },
  { flags: "--worker", description: "keep one process running, for a hook that runs often" },
  SUMMARY_OPTION,
];

/** Reads the flags. If a required one is missing, asks the user at a terminal for it and for the optional ones. */
export async function readHookRequest(io: Io, options: Options): Promise<HookRequest> {
  const isComplete = textIn(options, "event") !== undefined && textIn(options, "id") !== undefined;
  const person = isComplete ? undefined : await personAt(io, { json: options.json === true });
  const event = eventNamed(textIn(options, "event") ?? (await askEvent(person)));
  const id = await readId(options, person);
  const language = await readLanguage(options, person);
  const scope = await readScope(options, event, person);
  const summary = await readSummary(options, person, `Describe here what ${id} is for.`);
  return { id, event, language, worker: readWorker(options, event), summary, ...scope };
}

function askEvent(person: Person | undefined): Promise<string> {
  const choices = allEvents().map(({ name, spec }) => ({ value: name, hint: spec.fires }));
  return needed(person, "--event").choose("On which event does it run?", choices);
}

function readWorker(options: Options, { name, spec }: NamedEvent): boolean {
  if (options.worker !== true) return false;
  if (!spec.rare) return true;
  return refuse(`${name} fires once or twice per session: a permanent process would not help.`, "Omit --worker.");
}

type Scope = Pick<HookRequest, "matcher" | "abilityScope">;

async function readScope(options: Options, event: NamedEvent, person: Person | undefined): Promise<Scope> {
  const { kind } = event.spec.subject ?? {};
  const matcher = textIn(options, "matcher");
  const globs = textIn(options, "abilityScope");
  if (matcher !== undefined && (kind === undefined || kind === "ability")) {
    refuse(
      `${event.name} does not accept --matcher.`,
      kind ? "Pass --ability-scope." : "Omit it: the hook runs every time.",
    );
  }
  if (globs !== undefined && kind !== "ability") {
    refuse(
      `${event.name} does not accept --ability-scope.`,
      kind ? "Pass --matcher." : "Omit it: the hook runs every time.",
    );
  }
  switch (kind) {
    case undefined:
      return {};
    case "ability":
      return scopeOf(
        globs ?? (await person?.type("For which abilities? Globs, separated by commas.", { preset: "*" })),
      );
    case "tool":
    case "trigger": {
      const what = kind === "tool" ? "tools" : `values of ${event.spec.subject?.field}`;
      const question = `For which ${what}? A regular expression; * matches all.`;
      return matcherOf(matcher ?? (await person?.type(question, { preset: "*", check: regexFault })));
    }
  }
}

function scopeOf(text: string | undefined): Scope {
  if (text === undefined) return {};
  const abilityScope = text.split(",").map((glob) => glob.trim());
  if (abilityScope.includes("")) refuse(`--ability-scope is ${JSON.stringify(text)}; one of its globs is empty.`);
  const [fault] = abilityScope.flatMap((glob) => globFault(glob) ?? []);
  if (fault !== undefined) refuse(`--ability-scope is ${JSON.stringify(text)}; one of its globs ${fault}.`);
  return { abilityScope };
}

function matcherOf(matcher: string | undefined): Scope {
  if (matcher === undefined) return {};
  const fault = regexFault(matcher);
  return fault === undefined ? { matcher } : refuse(`--matcher is ${JSON.stringify(matcher)}. ${fault}`);
}

function regexFault(text: string): string | undefined {
  if (text === "*") return undefined;
  try {
    new RegExp(text);
    return undefined;
  } catch {
    return "This is not a valid regular expression.";
  }
}
