import { isDeepStrictEqual } from "node:util";
import type { JournalRecord } from "@hookline/journal";
import type { HookNote, Verdict } from "./verdict.ts";

/** Which recorded event something is about. */
export interface EventRef {
  /** What `hookline trace` takes. */
  readonly eventId: string;
  readonly at: number;
  readonly session: string;
  readonly event: string;
  readonly subject: string | undefined;
}

/** In what two verdicts differ. Where the decision does, the rest follows from that and is not told as well. */
export type Aspect = "decision" | "rewrites" | "reason";

export interface Difference extends EventRef {
  readonly aspects: readonly Aspect[];
  readonly before: Verdict;
  readonly after: Verdict;
  /** What became of the hooks that had objected. */
  readonly notes: readonly HookNote[];
}

export function refOf({ eventId = "", at, session, event = "", subject }: JournalRecord): EventRef {
  return { eventId, at, session, event, subject };
}

/** None: the same. */
export function aspectsOf(before: Verdict, after: Verdict): readonly Aspect[] {
  if (before.decision !== after.decision) return ["decision"];
  return [
    ...(changedFields(before, after).length > 0 ? (["rewrites"] as const) : []),
    ...(before.reason === after.reason ? [] : (["reason"] as const)),
  ];
}

/** A field that the hooks of one side rewrote, and those of the other did not, or not to this. */
export interface ChangedField {
  readonly path: string;
  /** Undefined where nobody rewrote it. */
  readonly before: FinalValue | undefined;
  readonly after: FinalValue | undefined;
}

export interface FinalValue {
  readonly value: unknown;
  readonly hook: string;
}

/** Of what is blocked, nothing is used, rewritten or not. */
export function changedFields(before: Verdict, after: Verdict): readonly ChangedField[] {
  if (before.decision === "block" || after.decision === "block") return [];
  const [was, is] = [finalValues(before), finalValues(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((field) => !isDeepStrictEqual(asJson(field.before?.value), asJson(field.after?.value)));
}

/** Of those who rewrote the same field, the last one's counts. */
function finalValues({ rewrites }: Verdict): ReadonlyMap<string, FinalValue> {
  return new Map(rewrites.map(({ path, after, hook }) => [path.join("."), { value: after, hook }]));
}

/** As it would have been written down. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? "null");
}
