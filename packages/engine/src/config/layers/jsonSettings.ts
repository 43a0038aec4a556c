import type { EventCatalog } from "../../events/eventSpec.ts";
import type { DeclarationKind } from "../hooks/declarationKind.ts";
import { HOOK_FIELDS } from "../hooks/hookFields.ts";
import { isOwnClient } from "../hooks/ownClient.ts";
import {
  type RawHook,
  reportRepeats,
  reportRepeatsHere,
  type Spelling,
  sortFields,
  unknownEvent,
} from "../hooks/rawHook.ts";
import { type Entry, entriesNamed, type Located, type LocatedMap, shown } from "../values/located.ts";
import { didYouMean, nearest } from "../values/nearest.ts";
import { doubt, invalid, type Problem, type Report } from "../values/problem.ts";

/** One settings file, entry by entry, before validation. */
export interface RawSettings {
  readonly hooks: readonly RawHook[];
  /** Entries of every `hooksConfig`, plus the older switch in `tools`. */
  readonly hooksConfig: readonly Entry[];
  readonly tools: readonly Entry[];
  /** Values of keys that belong to kinds other than hooks. */
  readonly others: readonly OtherValue[];
  /** Entries of every `approvals`. */
  readonly approvals: readonly Entry[];
  readonly problems: readonly Problem[];
}

interface OtherValue {
  readonly kind: DeclarationKind;
  readonly value: Located;
}

const OWN_KEYS = ["hooks", "hooksConfig", "approvals"];
const DEFINITION_KEYS = ["matcher", "sequential", "hooks"];

const SPELLING: Spelling = {
  kindKey: "type",
  kindWord: (kind) => (kind.yamlKind === null ? null : kind.type),
  onError: HOOK_FIELDS.onError,
  keys: sameName(["type", "name", "description", "timeout", ...Object.keys(HOOK_FIELDS), "env", "passEnv", "matcher"]),
  elsewhere: {
    enabled: 'To turn a hook off, write its name into "hooksConfig.disabled".',
  },
};

/** Reads a settings file. Keys of other programs are ignored, unless they are close to one of ours. */
export function readJsonSettings(
  root: Located,
  catalog: EventCatalog,
  declares: readonly DeclarationKind[] = [],
): RawSettings {
  const problems: Problem[] = [];
  const report: Report = (problem) => problems.push(problem);
  if (root.kind !== "map") {
    report(invalid(root.place, `A settings file must be an object, got ${shown(root)}.`, 'Write { "hooks": { } }.'));
    return { hooks: [], hooksConfig: [], tools: [], others: [], approvals: [], problems };
  }
  reportRepeatsHere(root, report);
  for (const entry of root.entries) reportMisplaced(entry, { catalog, declares }, report);
  const hooks = entriesNamed(root, "hooks").flatMap((entry) => readEvents(entry, catalog, report));
  const hooksConfig = entriesNamed(root, "hooksConfig").flatMap((entry) => readConfig(entry, report));
  const tools = entriesNamed(root, "tools").flatMap(({ value }) => (value.kind === "map" ? value.entries : []));
  const others = declares.flatMap((kind) =>
    "settings" in kind.from ? entriesNamed(root, kind.from.settings).map(({ value }) => ({ kind, value })) : [],
  );
  const approvals = entriesNamed(root, "approvals").flatMap((entry) => readConfig(entry, report));
  return { hooks, hooksConfig, tools, others, approvals, problems };
}

/** Ignores keys of other programs. A misspelled or misplaced key of ours would leave hooks off, so it is reported. */
function reportMisplaced(
  { key, keyPlace: where, value }: Entry,
  { catalog, declares }: { readonly catalog: EventCatalog; readonly declares: readonly DeclarationKind[] },
  report: Report,
): void {
  if (Object.hasOwn(catalog, key)) {
    const what = `"${key}" is outside of "hooks", so its hooks do not run.`;
    report(invalid(where, what, `Write "hooks": { "${key}": [ ] }.`));
    return;
  }
  const meant = nearest(key, [
    ...OWN_KEYS,
    ...declares.flatMap(({ from }) => ("settings" in from ? from.settings : [])),
    "tools",
  ]);
  if (meant === undefined || meant === key || meant === "tools") return;
  const what = `"${key}" is not read. Did you mean "${meant}"?`;
  const next = `Write "${meant}".`;
  const keys = value.kind === "map" ? value.entries.map((entry) => entry.key) : [];
  const holdsHooks = meant === "hooks" && keys.some((name) => nearest(name, Object.keys(catalog)) !== undefined);
  const isConfig = meant === "hooksConfig" && keys.length > 0;
  if (holdsHooks) report(invalid(where, `${what} Its hooks do not run.`, next));
  else if (isConfig) report(invalid(where, what, next));
  else report(doubt({ where, what, next }));
}

function readConfig({ key, value }: Entry, report: Report): readonly Entry[] {
  if (value.kind === "map") {
    reportRepeats(value, report);
    return value.entries;
  }
  report(invalid(value.place, `"${key}" must be an object, got ${shown(value)}.`, `Write "${key}": { }.`));
  return [];
}

function readEvents({ value }: Entry, catalog: EventCatalog, report: Report): readonly RawHook[] {
  if (value.kind !== "map") {
    const next = 'Write "hooks": { "BeforeTool": [ ] }.';
    report(invalid(value.place, `"hooks" must be an object with a list per event, got ${shown(value)}.`, next));
    return [];
  }
  reportRepeats(value, report);
  // An event that appears twice is reported above, and the hooks of both are read: none may be lost silently.
  return value.entries.flatMap((entry) => {
    if (Object.hasOwn(catalog, entry.key)) return readDefinitions(entry, report);
    report(unknownEvent(entry.key, entry.keyPlace, catalog));
    return [];
  });
}

function readDefinitions({ key: eventName, value }: Entry, report: Report): readonly RawHook[] {
  const next = `Write "${eventName}": [ { "hooks": [ ] } ].`;
  if (value.kind !== "list") {
    report(invalid(value.place, `"${eventName}" must be a list of definitions, got ${shown(value)}.`, next));
    return [];
  }
  return value.items.flatMap((definition) => {
    if (definition.kind === "map") return readDefinition(eventName, definition, report);
    report(invalid(definition.place, `A definition must be an object with "hooks", got ${shown(definition)}.`, next));
    return [];
  });
}

function readDefinition(eventName: string, definition: LocatedMap, report: Report): readonly RawHook[] {
  for (const { key, keyPlace } of definition.entries) {
    if (DEFINITION_KEYS.includes(key)) continue;
    const guess = didYouMean(key, DEFINITION_KEYS);
    report(
      invalid(
        keyPlace,
        `"${key}" is not a field of a definition.${guess}`,
        'A definition has "matcher", "sequential" and "hooks".',
      ),
    );
  }
  const lists = entriesNamed(definition, "hooks");
  if (lists.length === 0) {
    report(
      invalid(
        definition.place,
        'This definition has no "hooks", so nothing runs.',
        'Write "hooks": [ { "type": "command", "command": "…" } ].',
      ),
    );
  }
  const shared = definition.entries.filter(({ key }) => key === "matcher" || key === "sequential");
  return lists.flatMap(({ value }) => {
    if (value.kind === "list") {
      return value.items.filter((item) => !isOwnClient(item)).map((item) => readHook(eventName, item, shared));
    }
    report(
      invalid(
        value.place,
        `"hooks" must be a list, got ${shown(value)}.`,
        'Write "hooks": [ { "type": "command", "command": "…" } ].',
      ),
    );
    return [];
  });
}

function readHook(eventName: string, item: Located, shared: readonly Entry[]): RawHook {
  const base = { eventName, place: item.place, spelling: SPELLING, match: {} };
  if (item.kind !== "map") {
    const what = `A hook must be an object, got ${shown(item)}.`;
    const problem = invalid(item.place, what, 'Write { "type": "command", "command": "…" }.');
    return { ...base, ...sortFields(shared, {}), unknown: [], fault: problem };
  }
  const hint = "Move it one level up, into the definition.";
  const misplaced = item.entries.filter(({ key }) => DEFINITION_KEYS.includes(key));
  const own = item.entries.filter((entry) => !misplaced.includes(entry));
  return {
    ...base,
    ...sortFields([...own, ...shared], SPELLING.keys),
    unknown: misplaced.map((entry) => ({ entry, hint })),
  };
}

function sameName(fields: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(fields.map((field) => [field, field]));
}
