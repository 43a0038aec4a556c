import { EVENTS } from "../events/catalog.ts";
import { type Degradation, degrade } from "./degrade.ts";
import type { Dialect, HostAnswer, HostEvent, MappedEvent, OurAnswer } from "./dialect.ts";
import { isFields, ownOf } from "./fields.ts";
import { joinOutcomes } from "./joinOutcomes.ts";
import { type Outcome, objects, readOutcome } from "./outcome.ts";

export interface EncodedAnswer extends HostAnswer {
  readonly degraded: readonly Degradation[];
  readonly ignored: readonly string[];
}

export interface AnswerOptions {
  /** `host` only where a person can answer in this session; else an ask is a denial. */
  readonly ask?: "host" | "deny";
}

/** The host's answer to a call, from our answers to its parts, in their order. */
export function encodeAnswer(
  dialect: Dialect,
  call: HostEvent,
  answers: readonly (OurAnswer | undefined)[],
  { ask = "deny" }: AnswerOptions = {},
): EncodedAnswer {
  if (answers.length !== call.parts.length) {
    throw new Error(`${call.parts.length} parts of a call need as many answers, got ${answers.length}`);
  }
  const event = mappedEvent(dialect, call.host.event);
  const outcomes = call.parts.map((part, index) => readOutcome(call.ours, part, answers[index]));
  const translate = (rewrite: unknown) => translateRewrite(dialect, call, rewrite);
  const joined = joinOutcomes(call.parts, outcomes);
  const { outcome, degraded, ignored } = degrade(event, joined.outcome, { ask, translate });
  return { ...say(event, outcome, call.host), degraded: [...joined.degraded, ...degraded], ignored };
}

/** Said by the client alone, when it has no answer. */
const NO_ANSWER = "Blocked: hookline could not check this.";

/** The host's own "no" on an event; undefined if no hook of ours could block it. */
export function refusal(dialect: Dialect, name: string, reason: string = NO_ANSWER): HostAnswer | undefined {
  const event = ownOf(dialect.events, name);
  if (!event || event.ours === null || event.can.block.is === "no" || !("block" in EVENTS[event.ours].may))
    return undefined;
  const nothing = { stops: false, asks: false, contexts: [], messages: [], specific: {} };
  const given = { ...nothing, blocks: true, reasons: [reason] };
  return say(event, degrade(event, given, { ask: "deny", translate: () => undefined }).outcome, { event: name });
}

function say(
  event: MappedEvent,
  outcome: Outcome,
  host: Pick<HostEvent["host"], "event" | "tool_response">,
): HostAnswer {
  const { blocks, stops, asks, reasons, contexts, messages, rewrite, replace, specific } = outcome;
  const passed = Object.fromEntries(Object.entries(specific).filter(([name]) => event.passes?.includes(name)));
  const said = {
    blocks,
    stops,
    asks,
    // Codex takes a denial without a reason for no answer, and lets the tool run.
    reason: reasons.join("\n").trim() || (objects(outcome) ? "Blocked by a hook." : ""),
    ...(rewrite === undefined ? {} : { rewrite }),
    ...(replace === undefined ? {} : { replace }),
    ...(host.tool_response === undefined ? {} : { result: host.tool_response }),
    ...(contexts.length > 0 ? { context: contexts.join("\n") } : {}),
    ...(messages.length > 0 ? { message: messages.join("\n") } : {}),
    passed,
  };
  return event.encode(said, host.event);
}

/** A rewrite of tool arguments, under their names; other rewrites are the same in the hosts that take them. */
function translateRewrite(dialect: Dialect, { parts, host }: HostEvent, rewrite: unknown): unknown {
  const [part] = parts;
  if (levelsOf(rewrite) > MOST_LEVELS) return undefined;
  const name = part?.fields.tool_name;
  if (typeof name !== "string") return rewrite;
  if (!isFields(rewrite) || part?.unreadable) return undefined;
  const tool = dialect.tools.find(({ theirs }) => theirs === host.tool_name);
  return tool ? tool.encode({ tool_name: name, tool_input: rewrite }) : rewrite;
}

/** Parsers give up at some depth, Codex's at 128: it would drop the answer and run the call unchanged. */
const MOST_LEVELS = 100;

function levelsOf(value: unknown, level = 0): number {
  if (typeof value !== "object" || value === null || level > MOST_LEVELS) return level;
  return Object.values(value).reduce(
    (deepest: number, inner) => Math.max(deepest, levelsOf(inner, level + 1)),
    level + 1,
  );
}

function mappedEvent(dialect: Dialect, name: string): MappedEvent {
  const event = ownOf(dialect.events, name);
  if (!event || event.ours === null) throw new Error(`${dialect.name} has no event ${name} of ours`);
  return event;
}
