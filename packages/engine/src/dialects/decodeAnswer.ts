import { EVENTS } from "../events/catalog.ts";
import { wordOf } from "../events/decisionWords.ts";
import type { Dialect, MappedEvent, OurAnswer, ToolCall } from "./dialect.ts";
import { type Fields, isFields, ownOf, textOf } from "./fields.ts";
import { changeableFields } from "./outcome.ts";

/**
 * An answer of a hook that was written for the host, in our contract. `seen` is the payload that the hook had. Keys that we do not know stay,
 * so that the next reader of the answer finds an objection in any spelling.
 */
export function decodeAnswer(dialect: Dialect, eventName: string, answer: Fields, seen: Fields = {}): OurAnswer {
  const event = ownOf(dialect.events, eventName);
  if (!event || event.ours === null) return answer;
  const { hookSpecificOutput: given, ...common } = answer;
  if (given !== undefined && given !== null && !isFields(given)) return answer;
  const specific = given ?? {};
  const { changes, fault } = decodeChanges(dialect, event, specific, seen);
  const verdict = decodeVerdict(common, specific);
  const blocked = fault === undefined ? verdict : { decision: "block", reason: joined(verdict.reason, fault) };
  const translated = [event.keys.rewrite?.key, event.keys.replace];
  const kept = Object.fromEntries(Object.entries(specific).filter(([name]) => !translated.includes(name)));
  const own = { ...withoutVerdict(kept, blocked), ...changes };
  return {
    ...withoutVerdict(common, blocked),
    ...blocked,
    ...(Object.keys(own).length > 0 ? { hookSpecificOutput: own } : {}),
  };
}

interface Verdict {
  readonly decision?: string;
  readonly reason?: string;
}

/** The strictest of all places that can hold a decision. Nothing if none objects and one is unclear: an unclear verdict is not an allow. */
function decodeVerdict(common: Fields, specific: Fields): Verdict {
  const request = isFields(specific.decision) ? specific.decision : undefined;
  const said = [
    common.decision,
    common.permissionDecision,
    specific.permissionDecision,
    request ? undefined : specific.decision,
  ];
  const given = said.filter((word) => word !== undefined && word !== null);
  const words = given.map((word) => (word === "defer" ? "ask" : wordOf(word)?.word));
  // A hook that allows what a person is asked about does not decide for that person.
  if (wordOf(request?.behavior)?.word === "block") words.push("block");
  const word = (["block", "ask", "allow"] as const).find((candidate) => words.includes(candidate));
  if (word === undefined || (word === "allow" && words.includes(undefined))) return {};
  const reasons = [common.reason, common.permissionDecisionReason, specific.permissionDecisionReason, request?.message];
  const reason = reasons.map(textOf).find((text) => text !== undefined);
  return { decision: word, ...(reason === undefined ? {} : { reason }) };
}

interface Changes {
  readonly changes: Fields;
  /** Why a rewrite cannot be applied: to drop it could let through what it was to remove. */
  readonly fault?: string;
}

function decodeChanges(dialect: Dialect, { ours, rows, keys }: MappedEvent, specific: Fields, seen: Fields): Changes {
  const fields = changeableFields(ours);
  const changes: Record<string, unknown> = {};
  const replaced = keys.replace === undefined ? undefined : (specific[keys.replace] ?? undefined);
  if (fields.replace !== undefined && replaced !== undefined) {
    const decode = rows.find((row) => row.ours === fields.replace)?.decode;
    changes[fields.replace] = decode ? decode(replaced) : replaced;
  }
  const rewritten = keys.rewrite === undefined ? undefined : (specific[keys.rewrite.key] ?? undefined);
  if (fields.rewrite === undefined || rewritten === undefined) return { changes };
  const isTool = EVENTS[ours].subject?.kind === "tool";
  const value = isTool ? decodeInput(dialect, rewritten, seen, keys.rewrite?.how === "replace") : rewritten;
  if (value === undefined) return { changes, fault: "A hook changed the arguments in a way that cannot be applied." };
  return { changes: { ...changes, [fields.rewrite]: value } };
}

/** Our rewrites are merged: where theirs replace, an argument that the hook left out becomes undefined, which removes it. */
function decodeInput(dialect: Dialect, updated: unknown, seen: Fields, replaces: boolean): Fields | undefined {
  if (typeof seen.tool_name !== "string") return undefined; // whose arguments these are is unknown
  const after = decodeOneCall(dialect, seen.tool_name, updated);
  const before = decodeOneCall(dialect, seen.tool_name, seen.tool_input);
  // A patch may edit, write or delete: a hook can change what the call says, not what it is.
  if (after === undefined || (before && kindOf(before) !== kindOf(after))) return undefined;
  const input = after.tool_input;
  if (!replaces) return input;
  const removed = Object.keys(before?.tool_input ?? {}).filter((name) => !Object.hasOwn(input, name));
  return { ...input, ...Object.fromEntries(removed.map((name) => [name, undefined])) };
}

function decodeOneCall(dialect: Dialect, name: string, input: unknown): ToolCall | undefined {
  if (!isFields(input)) return undefined;
  const tool = dialect.tools.find(({ theirs }) => theirs === name);
  if (!tool) return { tool_name: name, tool_input: input };
  const calls = tool.decode(input) ?? [];
  return calls.length === 1 ? calls[0] : undefined;
}

function kindOf({ tool_name, tool_input }: ToolCall): string {
  return tool_input.deleted === true ? `${tool_name}, deleting` : tool_name;
}

/** Drops what the verdict has taken over; words that are unknown stay for the next reader. */
function withoutVerdict(fields: Fields, { decision, reason }: Verdict): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => {
      if (name === "permissionDecision") return decision === undefined || !(value === "defer" || wordOf(value));
      return name !== "permissionDecisionReason" || reason === undefined;
    }),
  );
}

function joined(...reasons: readonly (string | undefined)[]): string {
  return reasons.filter((reason) => reason !== undefined).join("\n");
}
