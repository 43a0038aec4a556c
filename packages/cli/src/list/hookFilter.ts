import type { HookRegistryEntry } from "@hookline/engine/program";
import { eventNamed } from "../project/eventNamed.ts";
import { oneOf, textIn } from "../terminal/optionValues.ts";

export const HOOK_STATES = ["on", "off", "untrusted", "broken"] as const;
type HookState = (typeof HOOK_STATES)[number];

/** Which hooks to list; an empty filter selects all. */
export interface HookFilter {
  readonly event?: string;
  readonly name?: string;
  readonly state?: HookState;
}

export function readHookFilter(options: Readonly<Record<string, unknown>>): HookFilter {
  const [event, hook, state] = [textIn(options, "event"), textIn(options, "hook"), textIn(options, "state")];
  return {
    ...(event === undefined ? {} : { event: eventNamed(event).name }),
    ...(hook === undefined ? {} : { name: hook.toLowerCase() }),
    ...(state === undefined ? {} : { state: oneOf(state, HOOK_STATES, "--state") }),
  };
}

export function fits({ config }: HookRegistryEntry, { event, name, state }: HookFilter): boolean {
  return (
    (event === undefined || config.eventName === event) &&
    (name === undefined || config.name.toLowerCase().includes(name)) &&
    (state === undefined || stateOf(config) === state)
  );
}

export function stateOf({ off }: HookRegistryEntry["config"]): HookState {
  if (off === undefined) return "on";
  return off.kind === "switch" ? "off" : off.kind;
}
