import type { EventSpec } from "../events/eventSpec.ts";
import { isRecord } from "./answer.ts";
import type { Fields } from "./rewrites.ts";

/** What an event honours beyond the common fields: contexts, rewrites, and the rest as it came. */
interface SpecificReading {
  readonly contexts: readonly string[];
  readonly rewrites: Fields;
  readonly fields: Fields;
}

const NOTHING: SpecificReading = { contexts: [], rewrites: {}, fields: {} };

/** Top-level spellings of other dialects, and the field of this contract that each one means. */
const ALIASES = [
  ["modifiedRequest", "llm_request"],
  ["syntheticResponse", "llm_response"],
  ["modifiedResponse", "llm_response"],
  ["toolConfig", "toolConfig"],
  ["updatedInput", "tool_input"],
] as const;

/** Said elsewhere: these are part of the decision or of the envelope. */
const ENVELOPE = ["hookEventName", "permissionDecision", "permissionDecisionReason"];

export function readSpecific(value: Fields, spec: EventSpec, ignored: string[]): SpecificReading {
  const own = value.hookSpecificOutput ?? undefined;
  if (own !== undefined && !isRecord(own)) ignored.push("hookSpecificOutput is not an object");
  const given = withAliases(isRecord(own) ? own : {}, value, spec);
  if (given === undefined) return NOTHING;

  const rewrites: Record<string, unknown> = {};
  const contexts: string[] = [];
  const fields: [string, unknown][] = [];
  for (const [key, field] of Object.entries(given)) {
    if (field === null || field === undefined || ENVELOPE.includes(key)) continue;
    const rewrite = spec.rewrites.find((candidate) => candidate.field === key);
    if (!spec.honours.includes(key)) {
      ignored.push(`hookSpecificOutput.${key} has no effect on this event`);
      fields.push([key, field]);
    } else if (key === "additionalContext") {
      if (typeof field === "string") contexts.push(...(field ? [field] : []));
      else ignored.push("additionalContext is not text");
    } else if (rewrite === undefined) {
      fields.push([key, field]);
    } else if (rewrite.type === "object" ? isRecord(field) : typeof field === "string") {
      rewrites[key] = field;
    } else {
      ignored.push(`${key} is not ${rewrite.type === "object" ? "an object" : "text"}`);
    }
  }
  return { contexts, rewrites, fields: Object.fromEntries(fields) };
}

/** Undefined when nothing at all was said. What the hook said in the contract's own words stands first. */
function withAliases(own: Fields, value: Fields, spec: EventSpec): Fields | undefined {
  let given: Record<string, unknown> | undefined;
  for (const key in own) {
    given ??= { ...own };
    const meant = key === "updatedInput" && spec.honours.includes("tool_input") ? "tool_input" : undefined;
    if (meant !== undefined) {
      given[meant] ??= own[key];
      delete given[key];
    }
  }
  for (const [key, meant] of ALIASES) {
    const alias = value[key];
    if (alias === undefined || alias === null || !spec.honours.includes(meant)) continue;
    given ??= {};
    given[meant] ??= meant === "llm_response" ? asResponse(alias) : alias;
  }
  return given;
}

/** `{ text, functionCalls }` is the short form of a response. */
function asResponse(value: unknown): unknown {
  if (!isRecord(value) || "candidates" in value) return value;
  const calls = Array.isArray(value.functionCalls) ? value.functionCalls.filter(isRecord) : [];
  const text = typeof value.text === "string" ? [value.text] : [];
  const parts = [...text, ...calls.map((call) => ({ ...call, type: "functionCall" }))];
  return { ...(text.length > 0 ? { text: value.text } : {}), candidates: [{ content: { role: "model", parts } }] };
}
