import type { JournalRecord, Step, Turn } from "@hookline/journal";
import { changesOf } from "./changes.ts";
import type { Glyphs } from "./glyphs.ts";
import { needsWhy, outcomeOf, whyOf } from "./outcomes.ts";

/** One line of a waterfall. */
export interface Bar {
  readonly depth: 0 | 1;
  readonly label: string;
  readonly glyph: Exclude<keyof Glyphs, "levels">;
  readonly at: number;
  readonly durationUs: number;
  readonly outcome: string;
  readonly why: string | undefined;
  /** For an event: which hook changed what. */
  readonly changes: readonly string[];
  /** Took no time, because it did not run. */
  readonly isInstant: boolean;
  /** The event that the user asked for. */
  readonly isWanted: boolean;
}

/** Each event with its hooks below; tools, models and people in between. */
export function barsOf({ steps, eventId }: Turn): readonly Bar[] {
  return steps.flatMap(({ record, hooks }: Step) => [
    { ...barOf(record), isWanted: eventId !== undefined && record.eventId === eventId },
    ...inTurn(hooks).map((hook): Bar => ({ ...barOf(hook), depth: 1, label: hookLabel(hook) })),
  ]);
}

/** Hooks that did not run come last. */
function inTurn(hooks: readonly JournalRecord[]): readonly JournalRecord[] {
  const ran = ({ kind }: JournalRecord) => kind !== "skip";
  return [...hooks.filter(ran), ...hooks.filter((hook) => !ran(hook))];
}

function barOf(record: JournalRecord): Bar {
  const { kind, at, durationUs } = record;
  return {
    depth: 0,
    label: labelOf(record),
    glyph: glyphOf(record),
    at,
    durationUs,
    outcome: outcomeOf(record),
    // The hooks below an event give the reasons.
    why: kind !== "event" && needsWhy(record) ? whyOf(record) : undefined,
    changes: changesOf(record),
    isInstant: kind === "skip" || kind === "late",
    isWanted: false,
  };
}

function labelOf(record: JournalRecord): string {
  const { kind, event, subject, body } = record;
  switch (kind) {
    case "event":
      return [event, subject].filter(Boolean).join(" ");
    case "approval":
      return `approval ${subject ?? ""}`;
    case "call":
      return `${body.what ?? "call"} ${subject ?? ""}`;
    case "run":
    case "skip":
      return `${event ?? ""} ${hookLabel(record)} (afterwards)`;
    case "unmatched":
    case "gap":
      return kind;
    case "late":
      return "(not recorded in time)";
  }
}

/** A hook may run again on a rewritten value. */
function hookLabel({ hook = "", body: { pass } }: JournalRecord): string {
  return pass === "again" || pass === "second" ? `${hook} (${pass})` : hook;
}

function glyphOf({ kind }: JournalRecord): Bar["glyph"] {
  switch (kind) {
    case "event":
      return "event";
    case "approval":
      return "approval";
    case "run":
    case "skip":
      return "hook";
    case "call":
    case "unmatched":
    case "gap":
    case "late":
      return "call";
  }
}
