import { didYouMean, type Located, type Place, type Problem, repeatedEntries } from "@hookline/engine/program";
import type { z } from "zod";
import { PROGRAM_ADVICE } from "../errors.ts";
import { hooktestSchema } from "./hooktestSchema.ts";
import { keyPlaceOf, placeOf } from "./placeOf.ts";

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

export function wrong(where: Place, what: string): Problem {
  return { severity: "error", code: "HOOKTEST_INVALID", where, what, next: PROGRAM_ADVICE.HOOKTEST_INVALID };
}

/** Converts schema issues to problems with places. */
export function shapeProblems(root: Located, issues: readonly Issue[]): readonly Problem[] {
  return [...issues.flatMap((issue) => problemsOf(root, issue)), ...repeated(root)].sort(byPlace);
}

function byPlace({ where: one }: Problem, { where: other }: Problem): number {
  return (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0);
}

function problemsOf(root: Located, issue: Issue, outer: Path = []): readonly Problem[] {
  const path = [...outer, ...issue.path];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => wrong(keyPlaceOf(root, [...path, key]), unknownKey(key, path)));
    case "invalid_union":
      return meantBranch(issue.errors).flatMap((inner) => problemsOf(root, inner, path));
    case "custom":
      return [wrong(keyPlaceOf(root, path), `${subjectOf(path)} ${issue.message}.`)];
    default:
      return [wrong(placeOf(root, path), `${subjectOf(path)} ${complaint(issue)}`)];
  }
}

/** Picks the alternative of a union that was meant: the first with an issue inside it, else the first. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const looksInside = ({ code, path }: Issue) => code === "unrecognized_keys" || path.length > 0;
  return branches.find((issues) => issues.some(looksInside)) ?? branches[0] ?? [];
}

function subjectOf(path: Path): string {
  const name = path.at(-1);
  return name === undefined ? "The file" : typeof name === "number" ? `Entry ${name + 1}` : `"${String(name)}"`;
}

function complaint(issue: Issue): string {
  if (issue.input === undefined) return "is missing.";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? issue.expected}.`;
    case "invalid_value": {
      const known = issue.values.map(String);
      const hint = didYouMean(String(issue.input), known) || ` Write ${known.join(", ")}.`;
      return `cannot be ${JSON.stringify(issue.input)}.${hint}`;
    }
    case "too_small":
      return "is empty.";
    default:
      return `${issue.message}.`;
  }
}

const KINDS: Readonly<Record<string, string>> = {
  string: "a text",
  array: "a list",
  object: "a mapping",
  record: "a mapping",
};

function unknownKey(key: string, path: Path): string {
  return `"${key}" is not a field of ${ownerOf(path)}.${didYouMean(key, knownAt(path))}`;
}

function ownerOf(path: Path): string {
  if (path.length === 0) return "a test file";
  return path.length === 2 ? "a test" : `"${String(path.at(-1))}"`;
}

/** The fields that the schema allows at this path. */
function knownAt(path: Path): readonly string[] {
  const expected = hooktestSchema.shape.tests.element.shape.expect;
  if (path.length === 0) return Object.keys(hooktestSchema.shape);
  if (path.length === 2) return Object.keys(hooktestSchema.shape.tests.element.shape);
  return path.length === 3 ? Object.keys(expected.shape) : ["outcome", "reason"];
}

/** Duplicate keys: only the last one would count. */
function repeated(node: Located): readonly Problem[] {
  if (node.kind === "list") return node.items.flatMap(repeated);
  if (node.kind === "scalar") return [];
  const own = repeatedEntries(node).map(({ first, again }) =>
    wrong(again.keyPlace, `"${again.key}" is repeated; the first is on line ${first.keyPlace.line}.`),
  );
  return [...own, ...node.entries.flatMap(({ value }) => repeated(value))];
}
