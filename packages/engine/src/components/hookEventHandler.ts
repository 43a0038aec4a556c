import { EVENTS } from "../events/catalog.ts";
import type { Config } from "../hooks/config.ts";
import type { EventMethods, FireOptions } from "../hooks/eventMethods.ts";
import type { AggregatedHookResult } from "../hooks/merge/hookAggregator.ts";
import type { HookPlanner } from "../hooks/plan/hookPlanner.ts";
import type { Fields } from "../hooks/run/rewrites.ts";
import type { HookAggregator } from "./hookAggregator.ts";
import type { HookRunner } from "./hookRunner.ts";
import { systemOf } from "./pipeline.ts";

/**
 * Fires events on a config's hook system, and starts it first. Always uses that system's own parts, whichever are
 * passed: a planner or runner from elsewhere could bypass a guard.
 */
class EventHandler {
  readonly #config: Config;

  constructor(config: Config, _planner?: HookPlanner, _runner?: HookRunner, _aggregator?: HookAggregator) {
    this.#config = config;
    for (const name of Object.keys(EVENTS)) {
      const method = `fire${name}Event`;
      const value = async (...args: unknown[]) => {
        const handler = await this.#started();
        return Reflect.apply(Reflect.get(handler, method), handler, args);
      };
      Object.defineProperty(this, method, { value });
    }
  }

  async fire(eventName: string, input: Fields | (() => Fields), options?: FireOptions): Promise<AggregatedHookResult> {
    return (await this.#started()).fire(eventName, input, options);
  }

  async #started() {
    const system = systemOf(this.#config);
    await system.initialize();
    return system.getEventHandler();
  }
}

export type HookEventHandler = EventHandler & EventMethods;

type Parts = ConstructorParameters<typeof EventHandler>;

/** The constructor, typed with the methods of each instance: one per row of the catalog. */
export const HookEventHandler = EventHandler as new (...parts: Parts) => HookEventHandler;
