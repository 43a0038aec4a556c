import {
  type Config,
  firePostAbilityCallHook,
  firePreAbilityCallHook,
  firePreAbilityCreateHook,
} from "@hookline/engine";
import { type AbilityHookResult, summarise } from "@hookline/engine/program";
import { type FoundAbility, namesOfAbility } from "./abilityRegistry.ts";
import type { AbilityResult } from "./abilityResult.ts";
import type { Caller } from "./caller.ts";
import type { Refusal } from "./outcome.ts";
import type { AbilityInput } from "./store/task.ts";

/** A use of an ability, as hooks see it. */
export interface AbilityUse extends FoundAbility {
  readonly input: AbilityInput;
  readonly environment: string | undefined;
  readonly caller: Caller;
  readonly taskKey: string | undefined;
}

/** How long hooks may still run after the caller aborted; the same limit as for other work at the end. */
const LAST_MS = 3_000;

/** Fires the three events of the Tool Runner. */
export class AbilityEvents {
  readonly #config: Config;
  readonly #signal: AbortSignal | undefined;

  constructor(config: Config, signal: AbortSignal | undefined) {
    this.#config = config;
    this.#signal = signal;
  }

  async preflight({ ability, ref, input, environment, caller }: AbilityUse): Promise<AbilityHookResult> {
    const aliases = namesOfAbility(ability).filter((name) => name !== ref.value);
    const context = () => ({
      ability_ref: { ...ref },
      input_summary: summarise(input),
      caller: { ...caller },
      ...(environment === undefined ? {} : { environment }),
    });
    const verdict = await firePreAbilityCreateHook(this.#config, context, { aliases, ...this.#within() });
    this.#signal?.throwIfAborted();
    return verdict;
  }

  async guard({ ability, input, caller, taskKey }: AbilityUse): Promise<AbilityHookResult> {
    const context = () => ({
      ability_id: ability.name,
      args_summary: summarise(input),
      caller: { ...caller },
      ...keyed(taskKey),
    });
    const [, ...aliases] = namesOfAbility(ability);
    const verdict = await firePreAbilityCallHook(this.#config, context, { aliases, ...this.#within() });
    this.#signal?.throwIfAborted();
    return verdict;
  }

  /** Fires PostAbilityCall for every execution, successful or not. */
  async report({ ability, input, taskKey }: AbilityUse, result: AbilityResult): Promise<void> {
    const { status, durationMs, output, error } = result;
    const context = () => ({
      ability_id: ability.name,
      status,
      duration_ms: durationMs,
      input_summary: summarise(input),
      output_summary: summarise(output),
      ...keyed(taskKey),
      ...(error === undefined ? {} : { error_message: summarise(error) }),
    });
    const within = this.#signal?.aborted ? { signal: AbortSignal.timeout(LAST_MS) } : this.#within();
    const [, ...aliases] = namesOfAbility(ability);
    await firePostAbilityCallHook(this.#config, context, { aliases, ...within });
  }

  #within(): { readonly signal?: AbortSignal } {
    return this.#signal ? { signal: this.#signal } : {};
  }
}

/** The verdict of hooks that object or ask. */
export function refusalOf({ code, reason, signals, objectors }: AbilityHookResult): Refusal {
  return { code: code ?? "ABILITY_DENIED", reason: reason ?? "No reason provided", signals, hooks: objectors ?? [] };
}

function keyed(taskKey: string | undefined): { readonly task_key?: string } {
  return taskKey === undefined ? {} : { task_key: taskKey };
}
