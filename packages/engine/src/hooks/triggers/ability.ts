import type { z } from "zod";
import type { HookSignal } from "../../events/abilitySchemas.ts";
import { EVENTS, type HookEventName } from "../../events/catalog.ts";
import type { Verdict } from "../../events/eventSpec.ts";
import type { Config } from "../config.ts";
import { errorOf, type Fire, type Fired, fireHooks, type TriggerOptions } from "./fireHooks.ts";
import { hooksOf } from "./hooksOf.ts";
import { type HookVerdict, verdictOf } from "./verdict.ts";

export interface AbilityHookOptions extends TriggerOptions {
  /** Further names of the ability, such as its operation keys. */
  readonly aliases?: readonly string[];
}

export interface AbilityHookResult extends Omit<HookVerdict, "stopped"> {
  /** A person must decide; if there is no person to ask, it is denied with the reason. */
  readonly asks?: boolean;
  readonly signals: readonly HookSignal[];
  /** The code for the ability's caller: `ABILITY_UNAVAILABLE`, `ABILITY_DENIED`, `ABILITY_REQUIRES_HUMAN`. */
  readonly code?: string;
}

/** The result of an event that hooks cannot object to. `error` says why no hook ran. */
export interface InfraHookResult {
  readonly error?: string;
}

/** A function is called only if a hook will see its result. */
type Input<Name extends HookEventName> = OrLazy<z.input<(typeof EVENTS)[Name]["input"]>>;
type OrLazy<Fields> = Fields | (() => Fields);

const NOTHING_SAID: AbilityHookResult = Object.freeze({ blocked: false, signals: [] });
const NOTHING: InfraHookResult = Object.freeze({});

/** Blocked: the turn is not planned. */
export function firePromptSubmitHook(
  config: Config,
  input: Input<"PromptSubmit">,
  options: TriggerOptions = {},
): Promise<AbilityHookResult> {
  return fireAbilityHook(config, "PromptSubmit", (handler) => handler.firePromptSubmitEvent(input, options));
}

/** Blocked: no task is created. */
export function firePreAbilityCreateHook(
  config: Config,
  input: Input<"PreAbilityCreate">,
  options: AbilityHookOptions = {},
): Promise<AbilityHookResult> {
  return fireAbilityHook(config, "PreAbilityCreate", (handler) => handler.firePreAbilityCreateEvent(input, options));
}

/** Blocked: the ability is not run. */
export function firePreAbilityCallHook(
  config: Config,
  input: Input<"PreAbilityCall">,
  options: AbilityHookOptions = {},
): Promise<AbilityHookResult> {
  return fireAbilityHook(config, "PreAbilityCall", (handler) => handler.firePreAbilityCallEvent(input, options));
}

export function firePostAbilityCallHook(
  config: Config,
  input: Input<"PostAbilityCall">,
  options: AbilityHookOptions = {},
): Promise<InfraHookResult> {
  return fireInfraHook(config, "PostAbilityCall", (handler) => handler.firePostAbilityCallEvent(input, options));
}

export function fireSessionStopHook(
  config: Config,
  input: Input<"SessionStop">,
  options: TriggerOptions = {},
): Promise<InfraHookResult> {
  return fireInfraHook(config, "SessionStop", (handler) => handler.fireSessionStopEvent(input, options));
}

type DecidingEvent = "PromptSubmit" | "PreAbilityCreate" | "PreAbilityCall";

async function fireAbilityHook<Name extends DecidingEvent>(
  config: Config,
  eventName: Name,
  fire: Fire<Name>,
): Promise<AbilityHookResult> {
  const hooks = hooksOf(config);
  return hooks ? abilityResult(eventName, await fireHooks(hooks, eventName, fire)) : NOTHING_SAID;
}

async function fireInfraHook<Name extends HookEventName>(
  config: Config,
  eventName: Name,
  fire: Fire<Name>,
): Promise<InfraHookResult> {
  const hooks = hooksOf(config);
  return hooks ? errorOf(await fireHooks(hooks, eventName, fire)) : NOTHING;
}

function abilityResult<Name extends DecidingEvent>(eventName: Name, fired: Fired<Name>): AbilityHookResult {
  const { finalOutput: output } = fired;
  if (!output) return NOTHING_SAID;
  const { stopped: _unknownHere, ...verdict } = verdictOf(fired);
  const asks = output.isAskDecision();
  const code = codeFor(eventName, verdict.blocked ? "deny" : asks ? "ask" : "allow");
  return {
    ...verdict,
    ...(asks ? { asks } : {}),
    signals: output.getSignals(),
    ...(code === undefined ? {} : { code }),
  };
}

/** The event's code for a denial or an ask; there is none for an allow. */
function codeFor(eventName: HookEventName, verdict: Verdict): string | undefined {
  if (verdict === "allow") return undefined;
  for (const codes of Object.values(EVENTS[eventName].signals)) {
    const found = Object.entries(codes ?? {}).find(([, meaning]) => meaning === verdict);
    if (found) return found[0];
  }
  return undefined;
}
