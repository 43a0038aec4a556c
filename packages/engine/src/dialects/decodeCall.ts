import type { z } from "zod";
import { baseInput } from "../events/baseInput.ts";
import { EVENTS, type HookEventName } from "../events/catalog.ts";
import { plainFields } from "../events/plainJson.ts";
import type { DecodedCall, Dialect, EventPart, HostFacts, MappedEvent } from "./dialect.ts";
import { decodeFields } from "./fieldRows.ts";
import { type Fields, isFields, ownOf } from "./fields.ts";
import { decodeMcpName } from "./mcpTools.ts";
import { changeableFields } from "./outcome.ts";

/** What a host calls us with, as events of ours. The caller adds a timestamp where there is none, and what the event `lacks`. */
export function decodeCall(dialect: Dialect, event: string, payload: unknown, version?: string): DecodedCall {
  const mapped = ownOf(dialect.events, event);
  if (mapped === undefined) return { kind: "unknown", event };
  if (mapped.ours === null) return { kind: "recorded", event };
  const { ours } = mapped;
  const invalid = (why: string): DecodedCall => ({ kind: "invalid", event, ours, why, readable: true });
  if (!isFields(payload)) {
    return { kind: "invalid", event, ours, why: "the payload is not an object", readable: false };
  }
  const plain = plainFields(payload);
  if (plain.kind === "refused") return invalid(plain.why);
  const { fields: given, repaired } = plain;
  const isTool = EVENTS[ours].subject?.kind === "tool";
  if (isTool && !isFields(given.tool_input ?? {})) return invalid("tool_input is not an object");
  if (isTool && isAboutToRun(ours) && repaired.includes("tool_input")) {
    return invalid("tool_input holds text that is not well-formed"); // the host would run what no guard has seen
  }
  const fields = eventFields(dialect, mapped, given);
  const parts = isTool ? toolParts(dialect, fields) : [{ fields }];
  for (const { fields: filled } of parts) {
    const broken = fault(baseInput, withFilled(mapped, filled));
    if (broken) return { kind: "invalid", event, ours, why: broken, readable: false };
    const why = fault(EVENTS[ours].input, withFilled(mapped, filled));
    if (why) return invalid(why);
  }
  return { kind: "event", ours, parts, host: hostFacts(dialect, event, given, version) };
}

/** The engine sets these itself. */
const RESERVED = new Set(["host", "second_pass"]);

function isAboutToRun(ours: HookEventName): boolean {
  return changeableFields(ours).rewrite === "tool_input";
}

function eventFields({ base }: Dialect, event: MappedEvent, payload: Fields): Fields {
  const free = Object.fromEntries(Object.entries(payload).filter(([name]) => !RESERVED.has(name)));
  return {
    transcript_path: "",
    ...decodeFields([...base, ...event.rows], free),
    ...event.derive?.(payload),
    hook_event_name: event.ours,
  };
}

function toolParts(dialect: Dialect, fields: Fields): readonly EventPart[] {
  const { tool_name } = fields;
  const input = isFields(fields.tool_input) ? fields.tool_input : {};
  const own = { ...fields, tool_input: input };
  if (typeof tool_name !== "string") return [{ fields: own }];
  const tool = dialect.tools.find(({ theirs }) => theirs === tool_name);
  if (!tool) return [{ fields: { ...own, ...decodeMcpName(dialect, tool_name) } }];
  const calls = tool.decode(input);
  if (!calls || calls.length === 0) return [{ fields: own, unreadable: true }];
  if (calls.length === 1) return [{ fields: { ...own, ...calls[0] } }];
  return calls.map((call, index) => ({ fields: { ...own, ...call }, part: index + 1 }));
}

/** With the fields that the caller adds. */
function withFilled({ lacks = [] }: MappedEvent, fields: Fields): Fields {
  return { timestamp: "", ...Object.fromEntries(lacks.map((name) => [name, ""])), ...fields };
}

function fault(schema: z.ZodType, fields: Fields): string | undefined {
  const [issue] = schema.safeParse(fields).error?.issues ?? [];
  return issue && `${issue.path.map(String).join(".")}: ${issue.message}`;
}

function hostFacts({ name }: Dialect, event: string, payload: Fields, version?: string): HostFacts {
  const { tool_name, tool_input, tool_response } = payload;
  return {
    name,
    ...(version === undefined ? {} : { version }),
    event,
    ...(typeof tool_name === "string" ? { tool_name } : {}),
    ...(tool_input === undefined ? {} : { tool_input }),
    ...(tool_response === undefined ? {} : { tool_response }),
  };
}
