import { EVENTS, type EventCatalog, type EventSpec, HooklineError } from "@hookline/engine";
import { didYouMean } from "@hookline/engine/program";
import { visible } from "../terminal/visible.ts";

const catalog: EventCatalog = EVENTS;

export interface NamedEvent {
  readonly name: string;
  readonly spec: EventSpec;
}

export const EVENT_NAMES: readonly string[] = Object.keys(catalog);

export function allEvents(): readonly NamedEvent[] {
  return Object.entries(catalog).map(([name, spec]) => ({ name, spec }));
}

/** The catalog's row for a name that the user typed. */
export function eventNamed(name: string): NamedEvent {
  const spec = Object.hasOwn(catalog, name) ? catalog[name] : undefined;
  if (spec) return { name, spec };
  const what = `There is no event "${visible(name)}".${didYouMean(name, EVENT_NAMES)}`;
  throw new HooklineError({ code: "EVENT_UNKNOWN", what });
}
