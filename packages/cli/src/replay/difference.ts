import { isDeepStrictEqual } from "node:util";
import type { JournalRecord } from "@hookline/journal";
import type { HookNote, Verdict } from "./verdict.ts";

/** Identifies a recorded event. */
export interface EventRef {
  /** The argument of `hookline trace`. */
  readonly eventId: string;
  readonly at: number;
  readonly session: string;
  readonly event: string;
  readonly subject: string | undefined;
}

/** In what two verdicts differ. If the decisions differ, the other aspects follow from that and are not listed. */
export type Aspect = "decision" | "rewrites" | "reason";

export interface Difference extends EventRef {
  readonly aspects: readonly Aspect[];
  readonly before: Verdict;
  readonly after: Verdict;
  /** What the hooks that objected at recording time do now. */
  readonly notes: readonly HookNote[];
}

export function refOf({ eventId = "", at, session, event = "", subject }: JournalRecord): EventRef {
  return { eventId, at, session, event, subject };
}

/** Empty if the verdicts are the same. */
export function aspectsOf(before: Verdict, after: Verdict): readonly Aspect[] {
  if (before.decision !== after.decision) return ["decision"];
  return [
    ...(changedFields(before, after).length > 0 ? (["rewrites"] as const) : []),
    ...(before.reason === after.reason ? [] : (["reason"] as const)),
  ];
}

/** A field that the two sides rewrote differently, or only one of them rewrote. */
export interface ChangedField {
  readonly path: string;
  /** Undefined if no hook rewrote it. */
  readonly before: FinalValue | undefined;
  readonly after: FinalValue | undefined;
}

export interface FinalValue {
  readonly value: unknown;
  readonly hook: string;
}

/** Empty if either side blocks: a blocked event uses no rewrite. */
export function changedFields(before: Verdict, after: Verdict): readonly ChangedField[] {
  if (before.decision === "block" || after.decision === "block") return [];
  const [was, is] = [finalValues(before), finalValues(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((field) => !isDeepStrictEqual(asJson(field.before?.value), asJson(field.after?.value)));
}

/** The last rewrite of a field counts. */
function finalValues({ rewrites }: Verdict): ReadonlyMap<string, FinalValue> {
  return new Map(rewrites.map(({ path, after, hook }) => [path.join("."), { value: after, hook }]));
}

/** The value as the journal would store it. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value) ?? "null");
}
