import type { Place } from "../../errors.ts";
import type { EventCatalog } from "../../events/eventSpec.ts";
import { type Entry, type Located, type LocatedMap, repeatedEntries } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { fault, invalid, type Problem, type Report } from "../values/problem.ts";
import type { KindSpec, MatchConditions, Off } from "./hookDeclaration.ts";
import { type HookField, SAFETY_FIELDS } from "./hookFields.ts";

/** How one file form spells what a hook is made of. */
export interface Spelling {
  /** The key that names the kind of hook, as messages quote it. */
  readonly kindKey: string;
  readonly kindWord: (kind: KindSpec) => string | null;
  readonly onError: HookField<"allow" | "block">;
  /** Written keys, each with the field it means; the kinds' own fields come on top. */
  readonly keys: Readonly<Record<string, string>>;
  /** What to do about a key that belongs elsewhere. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

export interface UnknownKey {
  readonly entry: Entry;
  readonly hint?: string;
}

/** One hook as its file has it: every value with its place, nothing judged yet. */
export interface RawHook {
  readonly eventName: string;
  readonly place: Place;
  readonly spelling: Spelling;
  /** By field, whatever the key was; an entry's `key` is what the file says. */
  readonly fields: ReadonlyMap<string, Entry>;
  /** Safety fields written twice: they count as unreadable. */
  readonly contradicted: readonly string[];
  /** Keys that mean nothing where they stand, with what to do if that is known. */
  readonly unknown: readonly UnknownKey[];
  readonly match: MatchConditions;
  readonly off?: Off;
  /** The entry itself cannot be a hook. */
  readonly fault?: Problem;
}

/** Sorts the entries of a hook by the field they mean. Keys that are no field of this form may still be fields of its kind. */
export function sortFields(
  entries: readonly Entry[],
  keys: Spelling["keys"],
): Pick<RawHook, "fields" | "contradicted"> {
  const fields = new Map<string, Entry>();
  const contradicted: string[] = [];
  for (const entry of entries) {
    const field = Object.hasOwn(keys, entry.key) ? (keys[entry.key] ?? entry.key) : entry.key;
    if (fields.has(field) && SAFETY_FIELDS.includes(field)) contradicted.push(field);
    fields.set(field, entry);
  }
  return { fields, contradicted };
}

/** Keys that stand twice, in this value and everything below it. */
export function reportRepeats(node: Located, report: Report): void {
  if (node.kind === "list") for (const item of node.items) reportRepeats(item, report);
  if (node.kind !== "map") return;
  reportRepeatsHere(node, report);
  for (const { value } of node.entries) reportRepeats(value, report);
}

export function reportRepeatsHere(map: LocatedMap, report: Report): void {
  for (const { first, again } of repeatedEntries(map)) {
    const what = `"${again.key}" stands twice here; the first is on line ${first.keyPlace.line}.`;
    report(invalid(again.keyPlace, what, "Keep one of the two, or make one of both."));
  }
}

export function unknownEvent(name: string, where: Place, catalog: EventCatalog): Problem {
  const what = `"${name}" is no event; its hooks are not run.${didYouMean(name, Object.keys(catalog))}`;
  const isSwitch = name === "enabled" || name === "disabled";
  return fault({
    code: "EVENT_UNKNOWN",
    where,
    what,
    next: isSwitch ? `Write it as "hooksConfig.${name}".` : undefined,
  });
}
