import { compileGlobs } from "../../config/hooks/glob.ts";
import type { HookDeclaration, MatchConditions } from "../../config/hooks/hookDeclaration.ts";
import { compilePattern, isEverything, type Pattern } from "../../config/hooks/pattern.ts";
import type { EventSpec } from "../../events/eventSpec.ts";
import { type Fields, valueAt } from "../run/rewrites.ts";

/** Finds the name under which a hook sees the subject; null if it does not match. The canonical name comes first. */
export type SubjectMatcher = (names: readonly string[]) => string | null;

const firstName: SubjectMatcher = (names) => names[0] ?? null;

/**
 * Compiled once per hook. A hook on an event without a subject always runs. A broken hook was never trusted, so its pattern does not run
 * natively.
 */
export function compileSubject(
  matcher: string | undefined,
  { match, off }: Pick<HookDeclaration, "match" | "off">,
  spec: EventSpec,
): SubjectMatcher {
  if (spec.subject === null) return firstName;
  const how = { ignoreCase: spec.subject.kind === "trigger", mayRunNatively: off === undefined };
  const byPattern = isEverything(matcher) ? firstName : nameMatcher(compilePattern(matcher, how));
  const scope = spec.subject.kind === "ability" ? match.abilityScope : undefined;
  if (scope === undefined || scope.includes("*")) return byPattern;
  const inScope = compileGlobs(scope);
  return (names) => (byPattern(names) === null ? null : (names.find((name) => inScope(name)) ?? null));
}

/** The conditions that read the event itself; null if there are none, so that plans can be cached. */
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
    const isMatch = compileGlobs(onlyIfChangedPaths, { negatable: true });
    checks.push((fields) => {
      const paths = valueAt(fields, [pathsField]);
      // If the changed paths are unknown, the hook runs: a guard is never silently off.
      const hit = !Array.isArray(paths) || paths.some((path) => typeof path === "string" && isMatch(path));
      return hit ? null : `no changed path matches ${onlyIfChangedPaths.join(", ")}`;
    });
  }
  if (checks.length === 0) return null;
  return (fields) => checks.reduce<string | null>((reason, check) => reason ?? check(fields), null);
}

/** Prefers a name matched whole, then the canonical name, then the first alias that matches. */
function nameMatcher({ test, testWhole }: Pattern): SubjectMatcher {
  return (names) => names.find(testWhole) ?? names.find(test) ?? null;
}
