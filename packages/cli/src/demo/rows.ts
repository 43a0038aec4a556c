import type { AgentEvent } from "../agent/agentEvent.ts";
import { argumentsOf } from "../agent/output/statusView.ts";
import { durationText } from "../terminal/duration.ts";
import { lookOf } from "../terminal/outcome.ts";
import { shortened, visible, visibleLines } from "../terminal/visible.ts";
import type { Line, Row } from "./row.ts";

export type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { readonly type: Type }>;

const MOST_LINES = 3;
const ARGUMENT_LENGTH = 60;

export function said(who: "you" | "agent", text: string): Row {
  return { who, colour: "cyan", lines: visibleLines(text).map((line) => ({ text: line })) };
}

const OBJECTIONS: ReadonlyMap<string, string> = new Map([
  ["block", "blocks"],
  ["stop", "stops the turn"],
  ["ask", "asks"],
]);

/** Undefined for a run that changed nothing, or whose change is shown later. */
export function hookRow({ report, note = "", context = "" }: EventOf<"hook">): Row | undefined {
  const { event, decision, durationMs, ok } = report;
  const told = { who: "hook", name: visible(report.hook), aside: `${event} · ${durationText(durationMs)}` } as const;
  const lines = linesOf(note || context);
  const objection = OBJECTIONS.get(decision);
  if (objection !== undefined) return { ...told, ...lookOf(decision), title: objection, lines };
  if (!ok) return { ...told, ...lookOf("failed"), title: "failed", lines };
  if (context) return { ...told, mark: "✚", colour: "green", title: "adds context", lines };
  return note ? { ...told, ...lookOf("allow"), title: "has a message", lines } : undefined;
}

const ANSWERS: Readonly<Record<string, string>> = {
  llm_response: "the answer",
  tool_response: "the result",
};

/** Shows the value before and after. For an answer, shows neither: the rewritten answer follows. */
export function rewrittenRow(
  told: EventOf<"rewritten">,
  run: EventOf<"hook"> | undefined,
  call: EventOf<"toolCall"> | undefined,
): Row {
  const { hook, event, field, after } = told;
  const answer = ANSWERS[field];
  const argument = field.split(".").slice(1).join(".");
  const before = after === undefined ? undefined : argumentIn(call?.args, argument);
  return {
    who: "hook",
    mark: "✎",
    colour: "cyan",
    name: visible(hook),
    title: `rewrites ${answer ?? `the ${visible(argument || field)}`}`,
    aside: run ? `${event} · ${durationText(run.report.durationMs)}` : event,
    lines: [
      ...(before === undefined ? [] : [dimmed(`  ${shown(before)}`)]),
      ...(after === undefined ? [] : [{ text: `→ ${shown(after)}` }]),
      ...(answer === undefined ? [] : [dimmed("before any of it is shown")]),
    ],
  };
}

export function callRow({ name, args }: EventOf<"toolCall">): Row {
  const [first] = typeof args === "object" && args !== null ? Object.values(args) : [];
  return { who: "tool", colour: "dim", name: visible(name), title: shown(first ?? argumentsOf(args)) };
}

export function resultRow({ status, display = "", durationMs }: EventOf<"toolResult">): Row {
  const row = { who: "tool", goesOn: true, ...lookOf(status) } as const;
  if (status === "blocked") return { ...row, title: "not run; the model is told why" };
  const lines = display.startsWith("--- ") ? changesIn(display) : linesOf(display);
  const aside = durationText(durationMs);
  const [only] = lines;
  if (only && lines.length === 1) return { ...row, title: only.text, aside };
  const more = lines.length > MOST_LINES ? [dimmed(`… ${lines.length - MOST_LINES} more lines`)] : [];
  return {
    ...row,
    title: status === "success" ? "done" : status,
    aside,
    lines: [...lines.slice(0, MOST_LINES), ...more],
  };
}

export function sentBackRow(): Row {
  return { who: "agent", goesOn: true, colour: "yellow", mark: "↩", title: "the agent has to continue" };
}

export function noteRow(text: string): Row {
  return { who: "note", colour: "yellow", lines: linesOf(text) };
}

function linesOf(text: string): Line[] {
  return text === "" ? [] : visibleLines(text.trimEnd()).map((line) => ({ text: line }));
}

/** The changed lines of a diff. */
function changesIn(diff: string): Line[] {
  return linesOf(diff).flatMap(({ text }): Line[] => {
    if (/^-(?!-- )/.test(text)) return [{ text, colour: "red" }];
    return /^\+(?!\+\+ )/.test(text) ? [{ text, colour: "green" }] : [];
  });
}

function dimmed(text: string): Line {
  return { text, colour: "dim" };
}

function argumentIn(args: unknown, name: string): unknown {
  return typeof args === "object" && args !== null ? new Map(Object.entries(args)).get(name) : undefined;
}

function shown(value: unknown): string {
  return shortened(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), ARGUMENT_LENGTH);
}
