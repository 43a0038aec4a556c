import { isDeepStrictEqual } from "node:util";
import type { Degradation } from "./degrade.ts";
import type { EventPart } from "./dialect.ts";
import { isFields, textOf } from "./fields.ts";
import { adviceFor, type Outcome, objects, replacementText } from "./outcome.ts";

interface Joined {
  readonly outcome: Outcome;
  readonly degraded: readonly Degradation[];
}

const NOT_ALONE = { from: "rewrite", to: "block", says: "one part of a call cannot be rewritten alone" } as const;
const ONE_RESULT = { from: "replace", to: "block", says: "a call has only one result" } as const;

/**
 * The outcome of a call from those of its parts: any objection counts, and says which part it is about. A rewrite of one part denies the
 * call, with the rewrite as advice; so do replacements of the result that differ.
 */
export function joinOutcomes(parts: readonly EventPart[], outcomes: readonly Outcome[]): Joined {
  const [only] = outcomes;
  if (only && outcomes.length === 1) return { outcome: only, degraded: [] };
  const objections = outcomes.flatMap((outcome, index) =>
    reasonsOf(outcome).map((reason) => about(parts[index], reason)),
  );
  const advice = outcomes.flatMap(({ rewrite }, index) =>
    rewrite === undefined ? [] : [about(parts[index], `a hook wants to change this part. ${adviceFor(rewrite)}`)],
  );
  const results = distinct(outcomes.flatMap(({ replace }) => (replace === undefined ? [] : [replace])));
  const conflicts =
    results.length > 1 ? results.map((result) => `A hook replaced the result with: ${replacementText(result)}`) : [];
  return {
    outcome: {
      blocks: outcomes.some(({ blocks }) => blocks) || advice.length + conflicts.length > 0,
      stops: outcomes.some(({ stops }) => stops),
      asks: outcomes.some(({ asks }) => asks),
      reasons: [...objections, ...advice, ...conflicts],
      contexts: [...new Set(outcomes.flatMap(({ contexts }) => contexts))],
      messages: [...new Set(outcomes.flatMap(({ messages }) => messages))],
      ...(results.length === 1 ? { replace: results[0] } : {}),
      specific: Object.assign({}, ...outcomes.map(({ specific }) => specific)),
    },
    degraded: [...(advice.length > 0 ? [NOT_ALONE] : []), ...(conflicts.length > 0 ? [ONE_RESULT] : [])],
  };
}

function reasonsOf(outcome: Outcome): readonly string[] {
  if (!objects(outcome)) return [];
  return outcome.reasons.length > 0 ? outcome.reasons : ["blocked by a hook"];
}

function about(part: EventPart | undefined, reason: string): string {
  const input = part?.fields.tool_input;
  const path = isFields(input) ? textOf(input.file_path) : undefined;
  return `${path ?? `Part ${part?.part}`}: ${reason}`;
}

function distinct(values: readonly unknown[]): readonly unknown[] {
  return values.filter((value, index) => values.findIndex((other) => isDeepStrictEqual(other, value)) === index);
}
