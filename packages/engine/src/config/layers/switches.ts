import { formatPlace, type Place } from "../../errors.ts";
import type { HookDeclaration } from "../hooks/hookDeclaration.ts";
import { type ConfigSource, type FileFamily, TRUST_LEVEL } from "../values/configSource.ts";
import { quoted } from "../values/located.ts";
import { didYouMean } from "../values/nearest.ts";
import { doubt, type Problem } from "../values/problem.ts";

/** A setting that turns hooks off: all within its reach, or those with a given name. */
export interface Switch {
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly place: Place;
  /** As written in the file: `hooksConfig.enabled: false`. */
  readonly what: string;
  readonly name?: string;
}

/**
 * A switch acts on its own layer and on less trusted layers, never on more trusted ones. A project's switch acts on project hooks only,
 * a switch in a `.gemini` file on hooks from `.gemini` files only. No switch acts on runtime hooks.
 */
export function reaches(
  by: Pick<Switch, "source" | "family">,
  hook: Pick<HookDeclaration, "source" | "family">,
): boolean {
  if (hook.source === "runtime") return false;
  if (by.family === "gemini" && hook.family !== "gemini") return false;
  if (by.source === "project") return hook.source === "project";
  return TRUST_LEVEL[by.source] >= TRUST_LEVEL[hook.source];
}

interface Switched {
  readonly hooks: readonly HookDeclaration[];
  readonly problems: readonly Problem[];
}

/** Turns hooks off; names the most trusted switch if there are several. Reports a switch that changes nothing. */
export function applySwitches(hooks: readonly HookDeclaration[], switches: readonly Switch[]): Switched {
  const strongestFirst = switches.toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source]);
  const byName = grouped(strongestFirst, ({ name }) => name);
  const general = byName.get(undefined) ?? [];
  const bearers = grouped(hooks, ({ name }) => name);
  return {
    hooks: hooks.map((hook) => {
      const reaching = (candidate: Switch) => reaches(candidate, hook);
      const by = stronger(general.find(reaching), byName.get(hook.name)?.find(reaching));
      return by === undefined ? hook : { ...hook, off: { kind: "switch", by: by.place, what: by.what } };
    }),
    problems: switches.flatMap((one, index) => idleSwitch(one, bearers, index < MAX_GUESSES ? hooks : [])),
  };
}

/** The more trusted of two switches; if equal, the one on all hooks. */
function stronger(general: Switch | undefined, named: Switch | undefined): Switch | undefined {
  if (!general || !named) return general ?? named;
  return TRUST_LEVEL[named.source] > TRUST_LEVEL[general.source] ? named : general;
}

/** Limits the guesses at misspelled names; each one compares all hooks. */
const MAX_GUESSES = 20;

function idleSwitch(
  by: Switch,
  bearers: ReadonlyMap<string, readonly HookDeclaration[]>,
  guesses: readonly HookDeclaration[],
): readonly Problem[] {
  const { name, place: where } = by;
  if (name === undefined) return [];
  const named = bearers.get(name) ?? [];
  if (named.some((hook) => reaches(by, hook))) return [];
  const [beyond] = named;
  if (beyond !== undefined) {
    const what = `${quoted(name)} stays on: it is declared at ${formatPlace(beyond.place)} (${beyond.source}), which this file cannot switch off.`;
    return [doubt({ where, what, next: "Switch it off in the file that declares it, or remove this entry." })];
  }
  const reachable = guesses.filter((hook) => reaches(by, hook)).map((hook) => hook.name);
  const what = `There is no hook named ${quoted(name)}.${didYouMean(name, reachable)}`;
  return [doubt({ where, what, next: "Correct the name, or remove this entry; `hookline list` shows every name." })];
}

function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
