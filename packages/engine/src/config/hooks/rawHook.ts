import type { Place } from "../../errors.ts";
import type { EventCatalog } from "../../events/eventSpec.ts";
import { type Entry, type Located, type LocatedMap, repeatedEntries } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { fault, invalid, type Problem, type Report } from "../values/problem.ts";
import type { KindSpec, MatchConditions, Off } from "./hookDeclaration.ts";
import { type HookField, SAFETY_FIELDS } from "./hookFields.ts";

/** How one file form spells the parts of a hook. */
export interface Spelling {
  /** The key that names the kind of hook, as quoted in messages. */
  readonly kindKey: string;
  readonly kindWord: (kind: KindSpec) => string | null;
  readonly onError: HookField<"allow" | "block">;
  /** Maps each written key to its field; each kind adds its own fields. */
  readonly keys: Readonly<Record<string, string>>;
  /** Advice for keys that belong elsewhere. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

export interface UnknownKey {
  readonly entry: Entry;
  readonly hint?: string;
}

/** One hook as written in its file: every value with its position, before validation. */
export interface RawHook {
  readonly eventName: string;
  readonly place: Place;
  readonly spelling: Spelling;
  /** By field, independent of the spelling; an entry's `key` is the spelling in the file. */
  readonly fields: ReadonlyMap<string, Entry>;
  /** Safety fields written twice: they count as unreadable. */
  readonly contradicted: readonly string[];
  /** Keys without a meaning at this position, with advice if there is any. */
  readonly unknown: readonly UnknownKey[];
  readonly match: MatchConditions;
  readonly off?: Off;
  /** Why the entry cannot be a hook at all. */
  readonly fault?: Problem;
}

/** Groups the entries of a hook by field. Keys that are not fields of this form may still be fields of its kind. */
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

/** Reports repeated keys, in this value and everything below it. */
export function reportRepeats(node: Located, report: Report): void {
  if (node.kind === "list") for (const item of node.items) reportRepeats(item, report);
  if (node.kind !== "map") return;
  reportRepeatsHere(node, report);
  for (const { value } of node.entries) reportRepeats(value, report);
}

export function reportRepeatsHere(map: LocatedMap, report: Report): void {
  for (const { first, again } of repeatedEntries(map)) {
    const what = `"${again.key}" appears twice here; the first is on line ${first.keyPlace.line}.`;
    report(invalid(again.keyPlace, what, "Keep one of the two, or merge them."));
  }
}

export function unknownEvent(name: string, where: Place, catalog: EventCatalog): Problem {
  const what = `"${name}" is not an event; its hooks do not run.${didYouMean(name, Object.keys(catalog))}`;
  const isSwitch = name === "enabled" || name === "disabled";
  return fault({
    code: "EVENT_UNKNOWN",
    where,
    what,
    next: isSwitch ? `Write it as "hooksConfig.${name}".` : undefined,
  });
}
