import { realPathOf } from "../config/trust/realPath.ts";
import type { TrustGate } from "../config/trust/trustGate.ts";
import type { EngineOptions } from "../config/values/options.ts";
import { EVENTS } from "../events/catalog.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import { KNOWN_TOOLS, pathArguments } from "../events/toolNames.ts";
import type { ProcessGroups } from "../process/processGroups.ts";
import { ProcessSlots } from "../process/processSlots.ts";
import type { Config } from "./config.ts";
import type { EventMethods } from "./eventMethods.ts";
import type { Services } from "./handlers/handler.ts";
import { HANDLERS } from "./handlers/index.ts";
import { neverRejecting } from "./handlers/neverRejecting.ts";
import { HookEventHandler } from "./hookEventHandler.ts";
import type { HookSystemOptions } from "./hookSystemOptions.ts";
import { HookAggregator } from "./merge/hookAggregator.ts";
import { HookPlanner } from "./plan/hookPlanner.ts";
import type { HookRegistry } from "./plan/hookRegistry.ts";
import { HookEnvironment } from "./run/hookEnvironment.ts";
import { HookRunner } from "./run/hookRunner.ts";
import { LateTimers } from "./run/lateTimers.ts";
import { OpenRuns } from "./run/openRuns.ts";
import { type RealPaths, realPathsOf } from "./run/realPaths.ts";
import { sessionFacts } from "./sessionFacts.ts";
import { Telemetry } from "./telemetry/telemetry.ts";

/** The assembled pipeline of one hook system. */
export interface Engine {
  readonly gate: TrustGate;
  readonly planner: HookPlanner;
  readonly runner: HookRunner;
  readonly aggregator: HookAggregator;
  readonly catalog: EventCatalog;
  readonly handler: HookEventHandler & EventMethods;
  readonly realPaths: (toolName: unknown, input: unknown) => RealPaths | undefined;
}

interface EngineParts {
  readonly config: Config;
  readonly options: HookSystemOptions;
  readonly projectRoot: string;
  readonly gate: TrustGate;
  readonly registry: HookRegistry;
  readonly groups: ProcessGroups;
  readonly spawnerFile: string | undefined;
  /** Called for every run: a reload may change the options. */
  readonly getOptions: () => EngineOptions;
}

/** `maxParallel` limits the hooks of one event; this multiple of it limits the processes of all events together. */
const SLOTS_PER_LANE = 4;

export function buildEngine({ config, options, gate, registry, ...lent }: EngineParts): Engine {
  const { catalog = EVENTS, tools = KNOWN_TOOLS, handlers = HANDLERS, recorder } = options;
  const facts = sessionFacts(config, lent.projectRoot);
  const services: Services = {
    ...lent,
    environment: new HookEnvironment(options.env, options.hookState),
    lateTimers: new LateTimers(),
    slots: new ProcessSlots(() => SLOTS_PER_LANE * lent.getOptions().maxParallel),
    openRuns: new OpenRuns(),
    recorded: recorder !== undefined,
    stampsOf: (hook) => gate.stampsOf(hook),
    eventNames: Object.keys(catalog),
    getSessionId: facts.getSessionId,
    getWorkingDir: facts.getWorkingDir,
    getEventEnv: options.eventEnv ?? (() => undefined),
  };
  const planner = new HookPlanner(registry, catalog, tools);
  const kinds = handlers.map((handler) => (HANDLERS.includes(handler) ? handler : neverRejecting(handler)));
  const runner = new HookRunner(kinds, services, gate);
  const aggregator = new HookAggregator(tools);
  const telemetry = options.telemetry === false ? undefined : new Telemetry(options.telemetry);
  const projectRoot = realPathOf(lent.projectRoot);
  const argumentsOf = pathArguments(tools);
  const realPaths = (toolName: unknown, input: unknown) =>
    realPathsOf(toolName, input, { pathArguments: argumentsOf, workingDir: facts.getWorkingDir(), projectRoot });
  const parts = { config: facts, catalog, planner, runner, aggregator, recorder, telemetry, realPaths };
  const handler = new HookEventHandler(parts);
  // The only allowed cast: the handler creates a method per catalog row, which no class declaration can express.
  return { gate, planner, runner, aggregator, catalog, handler: handler as HookEventHandler & EventMethods, realPaths };
}
