import type { Place } from "../errors.ts";
import { formatPlace } from "../errors.ts";
import {
  type ConfigSource,
  type FileFamily,
  type HookDeclaration,
  type Problem,
  TRUST_LEVEL,
} from "./hookDeclaration.ts";
import { quoted } from "./located.ts";
import { didYouMean } from "./nearest.ts";
import { doubt } from "./problem.ts";

/** Something in a settings file that turns hooks off: all it may reach, or those that bear a name. */
export interface Switch {
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly place: Place;
  /** As the file says it: `hooksConfig.enabled: false`. */
  readonly what: string;
  readonly name?: string;
}

/**
 * A switch acts on its own layer and on layers of lower trust, never upwards; a project's on project hooks only, none on
 * runtime hooks; one in a `.gemini` file on hooks from `.gemini` files only.
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

/** Turns hooks off; of several switches the most trusted one is named. A switch that changes nothing is reported. */
export function applySwitches(hooks: readonly HookDeclaration[], switches: readonly Switch[]): Switched {
  const strongestFirst = switches.toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source]);
  return {
    hooks: hooks.map((hook) => {
      const by = strongestFirst.find(
        (candidate) => reaches(candidate, hook) && (candidate.name ?? hook.name) === hook.name,
      );
      return by === undefined ? hook : { ...hook, off: { kind: "switch", by: by.place, what: by.what } };
    }),
    problems: switches.flatMap((one) => idleSwitch(one, hooks)),
  };
}

function idleSwitch(by: Switch, hooks: readonly HookDeclaration[]): readonly Problem[] {
  const { name, place: where } = by;
  if (name === undefined) return [];
  const reachable = hooks.filter((hook) => reaches(by, hook));
  if (reachable.some((hook) => hook.name === name)) return [];
  const [beyond] = hooks.filter((hook) => hook.name === name);
  if (beyond !== undefined) {
    const what = `${quoted(name)} stays on: it is declared at ${formatPlace(beyond.place)} (${beyond.source}), which this file may not switch.`;
    return [doubt({ where, what, next: "Switch it off in the file that declares it, or remove this entry." })];
  }
  const what = `No hook is called ${quoted(name)}.${didYouMean(
    name,
    reachable.map((hook) => hook.name),
  )}`;
  return [doubt({ where, what, next: "Correct the name, or remove this entry; `hookline list` shows every name." })];
}
