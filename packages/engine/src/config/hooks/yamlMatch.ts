import { type Entry, plain, shown } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { invalid, type Report } from "../values/problem.ts";
import { globFault } from "./glob.ts";
import type { MatchConditions } from "./hookDeclaration.ts";

const MATCH_KEYS = ["ability_scope", "min_duration_ms", "only_if_changed_paths", "subject"];

interface Match {
  readonly match: MatchConditions;
  /** The `subject` condition, as a matcher. */
  readonly subject: readonly Entry[];
  /** The block itself, for its position. */
  readonly matchEntry: readonly Entry[];
}

/** Reads a `match` block. An unreadable condition is left out: the hook then runs more often, never less. */
export function readMatch(entry: Entry | undefined, report: Report): Match {
  if (entry === undefined) return { match: {}, subject: [], matchEntry: [] };
  if (entry.value.kind !== "map") {
    report(
      invalid(
        entry.value.place,
        `"match" must be a mapping, got ${shown(entry.value)}; the hook runs every time.`,
        'Write "match:" with conditions below it.',
      ),
    );
    return { match: {}, subject: [], matchEntry: [entry] };
  }
  const { entries } = entry.value;
  for (const { key, keyPlace } of entries) {
    if (MATCH_KEYS.includes(key)) continue;
    const what = `"${key}" is not a condition; it is left out.${didYouMean(key, MATCH_KEYS)}`;
    report(invalid(keyPlace, what, `The conditions are ${MATCH_KEYS.join(", ")}.`));
  }
  const given = (key: string) => entries.findLast((candidate) => candidate.key === key);
  const abilityScope = readGlobs(given("ability_scope"), report);
  const onlyIfChangedPaths = readGlobs(given("only_if_changed_paths"), report);
  const minDurationMs = readMinimum(given("min_duration_ms"), report);
  const subject = given("subject");
  return {
    match: {
      ...(abilityScope === undefined ? {} : { abilityScope }),
      ...(minDurationMs === undefined ? {} : { minDurationMs }),
      ...(onlyIfChangedPaths === undefined ? {} : { onlyIfChangedPaths }),
    },
    subject: subject === undefined ? [] : [{ ...subject, key: "match.subject" }],
    matchEntry: [entry],
  };
}

function readGlobs(entry: Entry | undefined, report: Report): readonly string[] | undefined {
  if (entry === undefined) return undefined;
  const value = plain(entry.value);
  const globs = Array.isArray(value) ? value : [value];
  if (globs.length > 0 && globs.every((glob) => typeof glob === "string" && glob !== "")) {
    const [fault] = globs.flatMap((glob) => globFault(glob) ?? []);
    if (fault === undefined) return globs;
    const what = `"${entry.key}" has a glob that ${fault}. The condition is left out.`;
    report(invalid(entry.value.place, what, 'Write "*", "**", "?", "[a-z]" and "{a,b}".'));
    return undefined;
  }
  const what = `"${entry.key}" cannot be ${shown(entry.value)}; the condition is left out.`;
  report(invalid(entry.value.place, what, 'Write a glob or a list of globs: "services/**".'));
  return undefined;
}

function readMinimum(entry: Entry | undefined, report: Report): number | undefined {
  if (entry === undefined) return undefined;
  const value = plain(entry.value);
  if (typeof value === "number" && value >= 0 && Number.isFinite(value)) return value;
  const what = `"${entry.key}" cannot be ${shown(entry.value)}; the condition is left out.`;
  report(invalid(entry.value.place, what, "Write a number of milliseconds: 100."));
  return undefined;
}
