import type { EventSpec } from "@hookline/engine";
import { compileGlobs, KNOWN_TOOLS } from "@hookline/engine/program";
import { subjectIn } from "../project/eventInput.ts";
import type { HookRequest } from "./hookRequest.ts";

type Scope = Pick<HookRequest, "matcher" | "abilityScope">;

/** A subject that a new hook matches: the one of the sample if it matches; undefined if none is known. */
export function exampleSubject(spec: EventSpec, scope: Scope): string | undefined {
  const own = subjectIn(spec, spec.sample);
  if (own === undefined) return undefined;
  const words = [...(scope.matcher?.split("|") ?? []), ...(scope.abilityScope ?? [])].filter((word) =>
    /^[\w-]+$/.test(word),
  );
  return [own, ...words, ...choicesOf(spec), ...KNOWN_TOOLS.flat()].find(
    (name) => isMeant(name, spec, scope) && isValid(name, spec),
  );
}

function isMeant(name: string, { subject }: EventSpec, { matcher, abilityScope }: Scope): boolean {
  if (abilityScope !== undefined) return abilityScope.includes("*") || compileGlobs(abilityScope)(name);
  if (matcher === undefined || matcher === "*") return true;
  return new RegExp(matcher, subject?.kind === "trigger" ? "i" : "").test(name);
}

function isValid(name: string, { subject, sample, input }: EventSpec): boolean {
  const isNested = subject?.field.includes(".") ?? true;
  return isNested || input.safeParse({ ...sample, [subject?.field ?? ""]: name }).success;
}

/** The allowed values of a subject with a fixed list; otherwise empty. */
function choicesOf({ subject, input }: EventSpec): readonly string[] {
  const schema = input.toJSONSchema({ io: "input" }).properties?.[subject?.field ?? ""];
  const choices = typeof schema === "object" ? (schema.enum ?? []) : [];
  return choices.filter((choice) => typeof choice === "string");
}
