import { isDeepStrictEqual } from "node:util";
import { EVENTS, type HookEventName } from "../events/catalog.ts";
import { wordOf } from "../events/decisionWords.ts";
import type { EventPart, OurAnswer } from "./dialect.ts";
import { resultText } from "./fieldRows.ts";
import { type Fields, isFields, textOf } from "./fields.ts";

/** What our hooks want of one event, read from their merged answer. */
export interface Outcome {
  readonly blocks: boolean;
  readonly stops: boolean;
  readonly asks: boolean;
  readonly reasons: readonly string[];
  readonly contexts: readonly string[];
  readonly messages: readonly string[];
  /** The new value of what the hook may rewrite. */
  readonly rewrite?: unknown;
  readonly replace?: unknown;
  /** The rest of `hookSpecificOutput` that the event honours. */
  readonly specific: Fields;
}

export function objects({ blocks, stops, asks }: Pick<Outcome, "blocks" | "stops" | "asks">): boolean {
  return blocks || stops || asks;
}

/** Results of the action; a rewrite of any other field changes the action itself. */
const RESULTS: ReadonlySet<string> = new Set(["tool_response", "llm_response"]);

/** The field of an event that holds what it acts on, and the one that holds the result or stands in for it. */
export function changeableFields(ours: HookEventName): { readonly rewrite?: string; readonly replace?: string } {
  const { rewrites, standsIn } = EVENTS[ours];
  const fields = [...rewrites.map(({ field }) => field), ...(standsIn === null ? [] : [standsIn])];
  const rewrite = fields.find((field) => !RESULTS.has(field));
  const replace = fields.find((field) => RESULTS.has(field));
  return { ...(rewrite ? { rewrite } : {}), ...(replace ? { replace } : {}) };
}

export function readOutcome(ours: HookEventName, part: EventPart, answer: OurAnswer = {}): Outcome {
  const { hookSpecificOutput: specific = {}, ...common } = answer;
  const fields = changeableFields(ours);
  const changed = (field: string | undefined) => {
    const value = field === undefined ? undefined : specific[field];
    const isChange = value !== undefined && value !== null && !isDeepStrictEqual(value, part.fields[field ?? ""]);
    return isChange ? value : undefined;
  };
  const [rewrite, replace] = [changed(fields.rewrite), changed(fields.replace)];
  const read = new Set(["hookEventName", "additionalContext", fields.rewrite, fields.replace]);
  const rest = Object.entries(specific).filter(
    ([name, value]) => !read.has(name) && value !== undefined && value !== null,
  );
  const word = wordOf(common.decision)?.word;
  const stops = common.continue === false;
  return {
    blocks: word === "block",
    stops,
    asks: word === "ask",
    reasons: [...(stops ? listed(common.stopReason) : []), ...listed(common.reason)],
    contexts: listed(specific.additionalContext),
    messages: listed(common.systemMessage),
    ...(rewrite === undefined ? {} : { rewrite }),
    ...(replace === undefined ? {} : { replace }),
    specific: Object.fromEntries(rest),
  };
}

export function adviceFor(rewrite: unknown): string {
  return `${typeof rewrite === "string" ? "Ask" : "Call it"} again with: ${JSON.stringify(rewrite)}`;
}

/** A replacement as the text that the model shall read. */
export function replacementText(replace: unknown): string {
  if (!isFields(replace)) return resultText(replace);
  return resultText(replace.llmContent ?? replace.text ?? replace);
}

function listed(text: unknown): readonly string[] {
  const said = textOf(text);
  return said === undefined ? [] : [said];
}
