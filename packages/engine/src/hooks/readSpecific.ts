import type { EventSpec } from "../events/eventSpec.ts";
import { isRecord } from "./answer.ts";
import type { Fields } from "./rewrites.ts";

/** What an event honours beyond the common fields: contexts, rewrites, and the rest as it came. */
interface SpecificReading {
  readonly contexts: readonly string[];
  readonly rewrites: Fields;
  readonly fields: Fields;
}

export function readSpecific(given: Fields, spec: EventSpec, ignored: string[]): SpecificReading {
  const rewrites: [string, unknown][] = [];
  const contexts: string[] = [];
  const fields: [string, unknown][] = [];
  for (const [spoken, field] of Object.entries(given)) {
    if (field === null || field === undefined || spoken === "hookEventName") continue;
    // Another dialect's word for the arguments, where the event has any.
    const key = spoken === "updatedInput" && spec.honours.includes("tool_input") ? "tool_input" : spoken;
    const rewrite = spec.rewrites.find((candidate) => candidate.field === key);
    if (!spec.honours.includes(key)) {
      ignored.push(`hookSpecificOutput.${key} has no effect on this event`);
      fields.push([key, field]);
    } else if (key === "additionalContext") {
      if (typeof field !== "string") ignored.push("additionalContext is not text");
      else if (field) contexts.push(field);
    } else if (rewrite === undefined) {
      fields.push([key, field]);
    } else if (rewrite.type === "object" ? isRecord(field) : typeof field === "string") {
      rewrites.push([key, field]);
    } else {
      ignored.push(`${key} is not ${rewrite.type === "object" ? "an object" : "text"}`);
    }
  }
  return { contexts, rewrites: Object.fromEntries(rewrites), fields: Object.fromEntries(fields) };
}
