import { EVENTS } from "../events/catalog.ts";
import type { Config } from "../hooks/config.ts";
import type { EventMethods, FireOptions } from "../hooks/eventMethods.ts";
import { HookEventHandler as StartedHandler } from "../hooks/hookEventHandler.ts";
import { hookSystemOf } from "../hooks/hookSystemOf.ts";
import { type AggregatedHookResult, EMPTY_RESULT } from "../hooks/merge/hookAggregator.ts";
import type { HookPlanner } from "../hooks/plan/hookPlanner.ts";
import type { Fields } from "../hooks/run/rewrites.ts";
import type { HookAggregator } from "./hookAggregator.ts";
import type { HookRunner } from "./hookRunner.ts";

/**
 * Fires events on a config's hook system, and starts it first; with hooks off, nothing happens. Always uses that system's own parts, whichever are
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
        return handler ? Reflect.apply(Reflect.get(handler, method), handler, args) : EMPTY_RESULT;
      };
      Object.defineProperty(this, method, { value });
    }
  }

  async fire(eventName: string, input: Fields | (() => Fields), options?: FireOptions): Promise<AggregatedHookResult> {
    const handler = await this.#started();
    return handler ? handler.fire(eventName, input, options) : EMPTY_RESULT;
  }

  async #started() {
    const system = hookSystemOf(this.#config);
    await system?.initialize();
    return system?.getEventHandler();
  }
}

/** The handler of a started hook system is one, too, but not one of a subclass. */
function isHandler(this: unknown, value: unknown): boolean {
  const isOwn = Function.prototype[Symbol.hasInstance].call(this, value);
  return isOwn || (this === EventHandler && value instanceof StartedHandler);
}

Object.defineProperty(EventHandler, Symbol.hasInstance, { value: isHandler });

/** Also the type of `hookSystem.getEventHandler()`. */
export type HookEventHandler = Pick<EventHandler, "fire"> & EventMethods;

type Parts = ConstructorParameters<typeof EventHandler>;

type Constructor<Made> = new (...parts: Parts) => Made;

/** The constructor, typed with the methods of each instance: one per row of the catalog. */
export const HookEventHandler: Constructor<HookEventHandler> = EventHandler as Constructor<EventHandler & EventMethods>;
