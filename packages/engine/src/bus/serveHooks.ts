import { z } from "zod";
import { codeOf, type ErrorCode } from "../errors.ts";
import { baseInput } from "../events/baseInput.ts";
import { EVENTS } from "../events/catalog.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { Config } from "../hooks/config.ts";
import { refusedEvent } from "../hooks/failedEvent.ts";
import { type AggregatedHookResult, EMPTY_RESULT } from "../hooks/merge/hookAggregator.ts";
import { errorText } from "../hooks/triggers/errorText.ts";
import type { MessageBus } from "./messageBus.ts";
import { type HookExecutionOutcome, MessageBusType } from "./messages.ts";

const catalog: EventCatalog = EVENTS;
const correlation = z.object({ correlationId: z.string().min(1) });
const request = z.object({ eventName: z.string(), payload: z.record(z.string(), z.unknown()) });

/**
 * Answers every hook request on the bus once, by its id. Bad requests are answered too; a request without a usable
 * `correlationId` gets an answer with an empty id. Returns the function that stops serving: requests
 * in progress are still answered.
 */
export function serveHooks(bus: MessageBus, config: Config): () => void {
  return bus.subscribe(MessageBusType.HOOK_EXECUTION_REQUEST, async (message) => {
    const type = MessageBusType.HOOK_EXECUTION_RESPONSE;
    const correlationId = correlation.safeParse(message).data?.correlationId;
    const result =
      correlationId === undefined
        ? refusal("INPUT_INVALID", "The hook request needs a correlationId that is a non-empty string.", message)
        : await execute(message, config);
    bus.publish({ type, correlationId: correlationId ?? "", result });
  });
}

async function execute(message: unknown, config: Config): Promise<HookExecutionOutcome> {
  try {
    const { data, error } = request.safeParse(message);
    if (error) return refusal("INPUT_INVALID", `The hook request is invalid: ${z.prettifyError(error)}`, message);
    const system = config.getHookSystem();
    if (!system) return plain(EMPTY_RESULT);
    await system.initialize();
    const result = await system
      .getEventHandler()
      .fire(data.eventName, () => withoutFacts(data.payload), { realPaths: true });
    const [failure] = result.errors;
    if (failure?.code === "INPUT_INVALID") return refusal(failure.code, failure.message, message);
    return plain(result);
  } catch (error) {
    return refusal(codeOf(error), errorText(error), message);
  }
}

const FACTS = new Set([...Object.keys(baseInput.shape), "event_type"]);

/** Drops facts of the session: a requester may reuse an input, but not pretend to be another session. */
function withoutFacts(payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !FACTS.has(key)));
}

/** The outcome when no hook ran: an error, and a block if the event can block. */
function refusal(code: ErrorCode, message: string, asked: unknown): HookExecutionOutcome {
  const { data } = request.pick({ eventName: true }).safeParse(asked);
  const spec = data && Object.hasOwn(catalog, data.eventName) ? catalog[data.eventName] : undefined;
  return plain(refusedEvent(spec, { code, message }));
}

/** Functions may answer with values that JSON cannot express; they are dropped, as on a network. */
function plain({
  success,
  finalOutput,
  allOutputs,
  errors,
  totalDuration,
}: AggregatedHookResult): HookExecutionOutcome {
  const outcome = { success, allOutputs: allOutputs.flatMap(asJson), errors: [...errors], totalDuration };
  if (finalOutput === undefined) return outcome;
  try {
    return JSON.parse(JSON.stringify({ ...outcome, finalOutput }));
  } catch (cause) {
    throw new Error(`The hooks' answer cannot be written as JSON: ${errorText(cause)}`, {
      cause,
    });
  }
}

/** As a list, which is empty if JSON cannot express the output. */
function asJson(output: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>[] {
  try {
    return [JSON.parse(JSON.stringify(output))];
  } catch {
    return [];
  }
}
