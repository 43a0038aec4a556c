import { HooklineError } from "@hookline/engine";
import {
  commandDoubts,
  type DeclarationOrigin,
  didYouMean,
  doubt,
  type Entry,
  entryNamed,
  invalid,
  type LocatedMap,
  type Place,
  plain,
  type Report,
  readEnv,
  readNames,
  reportUnknownKeys,
  shown,
  type Target,
  withVariables,
} from "@hookline/engine/program";
import { z } from "zod";
import { ServerFault } from "../servers/serverTarget.ts";
import { ABILITY_KINDS, type AbilityDeclaration, type AbilityKind } from "./abilityDeclaration.ts";
import { ABILITY_KEYS, implementationKeys } from "./abilityFields.ts";
import { abilityTarget } from "./abilityTarget.ts";

type ImplementationOrigin = Pick<DeclarationOrigin, "kinds" | "lookup">;

type Implementation = Partial<Pick<AbilityDeclaration, "type" | "env" | "passEnv" | "target">> & {
  /** The place of the field that names the target. */
  readonly place: Place;
};

const WORDS = ABILITY_KINDS.map((kind) => `"${kind}"`).join(", ");
const WRITE = 'Write "implementation:" with "kind: script" and "command: …" below it.';
/** The field that names the target of each kind. */
const FIRST: Readonly<Record<AbilityKind, string>> = { script: "command", mcp: "server", http: "url" };

const ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ABILITY_KEYS.map((key) => [key, 'Write it outside "implementation".'])),
  type: 'Write it as "kind".',
};

export function readImplementation(
  entry: Entry | undefined,
  root: LocatedMap,
  origin: ImplementationOrigin,
  report: Report,
): Implementation {
  if (entry?.value.kind !== "map") {
    const what = entry
      ? `"implementation" is a mapping, not ${shown(entry.value)}.`
      : 'This ability has no "implementation".';
    report(invalid(entry?.value.place ?? root.place, what, WRITE));
    return { place: root.place };
  }
  const { value: fields } = entry;
  const type = readKind(fields, entry, report);
  if (type === undefined) return { place: entry.keyPlace };
  const expected = { known: implementationKeys(type), of: `an implementation of kind "${type}"`, hints: ELSEWHERE };
  reportUnknownKeys(fields.entries, expected, report);

  const env = readEnv(entryNamed(fields, "env"), report);
  const passEnv = readNames(entryNamed(fields, "pass_env"), report);
  const lookup = { ...origin.lookup, path: env.PATH ?? origin.lookup.path };
  const target = readTarget(type, fields, { ...origin, lookup, env }, report);
  const place = entryNamed(fields, FIRST[type])?.value.place ?? entry.keyPlace;
  const found = type === "script" ? commandDoubts(target?.fields.command, lookup.path) : [];
  for (const finding of found) report(doubt({ where: place, ...finding }));
  return { type, env, passEnv, place, ...(target === undefined ? {} : { target }) };
}

function readKind(fields: LocatedMap, entry: Entry, report: Report): AbilityKind | undefined {
  const written = entryNamed(fields, "kind");
  const word = written && plain(written.value);
  const kind = ABILITY_KINDS.find((one) => one === word);
  if (kind !== undefined) return kind;
  const guess = typeof word === "string" ? didYouMean(word, ABILITY_KINDS) : "";
  const what = written
    ? `${shown(written.value)} is not a kind of implementation.${guess}`
    : 'This implementation has no "kind".';
  report(invalid(written?.value.place ?? entry.keyPlace, what, `Write "kind" as one of ${WORDS}.`));
  return undefined;
}

function readTarget(
  type: AbilityKind,
  fields: LocatedMap,
  origin: ImplementationOrigin & { readonly env: Readonly<Record<string, string>> },
  report: Report,
): Target | undefined {
  const placeOf = (key: string) => entryNamed(fields, key)?.value.place ?? fields.place;
  try {
    const target = abilityTarget(type, plain(fields), origin);
    return type === "script" ? withVariables(target, origin.env, origin.lookup) : target;
  } catch (error) {
    if (error instanceof z.ZodError) reportIssue(error.issues[0], type, fields, report);
    else if (error instanceof HooklineError) {
      const field = error instanceof ServerFault ? error.field : FIRST[type];
      report(invalid(placeOf(field), error.what, error.next));
    } else throw error;
    return undefined;
  }
}

function reportIssue(
  issue: Pick<z.core.$ZodIssue, "path" | "message"> | undefined,
  type: AbilityKind,
  fields: LocatedMap,
  report: Report,
): void {
  const key = String(issue?.path[0] ?? "");
  const written = entryNamed(fields, key);
  if (written) report(invalid(written.value.place, `"${key}" cannot be ${shown(written.value)}: ${issue?.message}.`));
  else {
    const what = `This ability of kind "${type}" has no "${key}".`;
    report(invalid(fields.place, what, `Write "${key}" beside "kind".`));
  }
}
