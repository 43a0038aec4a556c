import picomatch from "picomatch";
import type { MatchConditions } from "../config/hookDeclaration.ts";
import type { EventSpec } from "../events/eventSpec.ts";
import { type Fields, valueAt } from "./rewrites.ts";

/** Finds the name under which a hook sees the subject: null when it does not match. Names are canonical first. */
export type SubjectMatcher = (names: readonly string[]) => string | null;

const firstName: SubjectMatcher = (names) => names[0] ?? null;

/** Compiled once per hook. A hook on an event without subject always runs. */
export function compileSubject(matcher: string | undefined, match: MatchConditions, spec: EventSpec): SubjectMatcher {
  if (spec.subject === null) return firstName;
  const byPattern = isEverything(matcher)
    ? firstName
    : compilePattern(matcher, spec.subject.kind === "trigger" ? "i" : "");
  const scope = spec.subject.kind === "ability" ? match.abilityScope : undefined;
  if (scope === undefined || scope.includes("*")) return byPattern;
  const inScope = picomatch([...scope], { dot: true, nonegate: true });
  return (names) => (byPattern(names) === null ? null : (names.find((name) => inScope(name)) ?? null));
}

/** The conditions that read the event itself; null when there are none, so that plans can be cached. */
export function compileConditions(match: MatchConditions, spec: EventSpec): ((fields: Fields) => string | null) | null {
  const checks: ((fields: Fields) => string | null)[] = [];
  const { minDurationMs, onlyIfChangedPaths } = match;
  const { min_duration_ms: durationField, only_if_changed_paths: pathsField } = spec.conditions;
  if (minDurationMs !== undefined && durationField !== undefined) {
    checks.push((fields) => {
      const took = valueAt(fields, [durationField]);
      return typeof took === "number" && took >= minDurationMs ? null : `${durationField} is below ${minDurationMs}`;
    });
  }
  if (onlyIfChangedPaths !== undefined && pathsField !== undefined) {
    const isMatch = picomatch([...onlyIfChangedPaths], { dot: true });
    checks.push((fields) => {
      const paths = valueAt(fields, [pathsField]);
      const hit = Array.isArray(paths) && paths.some((path) => typeof path === "string" && isMatch(path));
      return hit ? null : `no changed path matches ${onlyIfChangedPaths.join(", ")}`;
    });
  }
  if (checks.length === 0) return null;
  return (fields) => checks.reduce<string | null>((reason, check) => reason ?? check(fields), null);
}

function isEverything(matcher: string | undefined): matcher is undefined | "" | "*" {
  return matcher === undefined || matcher.trim() === "" || matcher.trim() === "*";
}

/** A name matched whole comes first, then the canonical name, then the first alias hit. */
function compilePattern(matcher: string, flags: string): SubjectMatcher {
  const source = isValidPattern(matcher) ? matcher : matcher.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const anywhere = new RegExp(source, flags);
  const whole = new RegExp(`^(?:${source})$`, flags);
  return (names) => names.find((name) => whole.test(name)) ?? names.find((name) => anywhere.test(name)) ?? null;
}

function isValidPattern(matcher: string): boolean {
  try {
    new RegExp(matcher);
    return true;
  } catch {
    return false;
  }
}
