import type { EventSpec } from "../../events/eventSpec.ts";
import type { Fields } from "../run/rewrites.ts";
import { isRecord } from "./answer.ts";
import { readForm } from "./answerForms.ts";

/** What an event honours beyond the common fields: contexts, rewrites, and the rest unchanged. */
interface SpecificReading {
  readonly contexts: readonly string[];
  readonly rewrites: Fields;
  readonly fields: Fields;
}

/** What the hook saw of the event, if known, and a list for fields without effect. */
interface SpecificContext {
  readonly spec: EventSpec;
  readonly seen: Fields | undefined;
  readonly ignored: string[];
}

export function readSpecific(given: Fields, { spec, seen, ignored }: SpecificContext): SpecificReading {
  const rewrites: [string, unknown][] = [];
  const contexts: string[] = [];
  const fields: [string, unknown][] = [];
  for (const [spoken, said] of Object.entries(given)) {
    if (said === null || said === undefined || spoken === "hookEventName") continue;
    // Another dialect's name for the arguments, if the event has any.
    const key = spoken === "updatedInput" && spec.honours.includes("tool_input") ? "tool_input" : spoken;
    const rewrite = spec.rewrites.find((candidate) => candidate.field === key);
    // A rewrite is a change of what the hook saw; if that is unknown, it is read when it is applied.
    const field = rewrite && seen === undefined ? said : inForm(key, said, { spec, seen, ignored });
    if (!spec.honours.includes(key)) {
      if (!spec.keepsData) ignored.push(`hookSpecificOutput.${key} has no effect on this event`);
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

function inForm(key: string, said: unknown, { spec, seen, ignored }: SpecificContext): unknown {
  const form = Object.hasOwn(spec.forms, key) ? spec.forms[key] : undefined;
  if (form === undefined || !isRecord(said)) return said;
  const reading = readForm(form, said, seen?.[key]);
  ignored.push(...reading.ignored);
  return reading.value;
}
