import { type Colours, colours } from "../../terminal/colour.ts";
import { durationText } from "../../terminal/duration.ts";
import type { Io } from "../../terminal/io.ts";
import { lookOf, outcomeText } from "../../terminal/outcome.ts";
import { shortened, visible, visibleLines } from "../../terminal/visible.ts";
import type { AgentEvent, HookReport } from "../agentEvent.ts";
import type { CallStatus } from "../turnResult.ts";

const MOST_DISPLAY_LINES = 12;
const NOTE_LENGTH = 240;
const ARGUMENTS_LENGTH = 100;

/** The lines for an event, except for the answer itself. */
export function statusView(event: AgentEvent, io: Pick<Io, "colour">): string[] {
  const paint = colours(io);
  const { bold, dim, yellow } = paint;
  switch (event.type) {
    case "hook":
      return [hookLine(event, paint)];
    case "rewritten":
      return [rewriteLine(event, paint)];
    case "toolCall":
      return [`${bold("●")} ${bold(visible(event.name))} ${dim(shortened(argumentsOf(event.args), ARGUMENTS_LENGTH))}`];
    case "toolResult":
      return toolLines(event, paint);
    case "retry":
      return [yellow(`  ↻ ${visible(event.reason)} Retrying in ${durationText(event.waitMs)}.`)];
    case "retracted":
      return [yellow(`  ⊘ retracted: ${visible(event.why)}`)];
    case "sentBack":
      return [`${yellow("↩ sent back to work")} ${dim(`(${event.attempt})`)} ${shortened(event.reason, NOTE_LENGTH)}`];
    case "compressed":
      return [dim(`  compressed: about ${event.beforeTokens} tokens are now ${event.afterTokens}`)];
    case "notice":
      return visibleLines(event.text).map((line) => yellow(`  ! ${line}`));
    case "control":
    case "text":
    case "thought":
    case "answer":
    case "toolOutput":
      return [];
  }
}

/** `  ✗ block  check-edit  BeforeTool write_file  12 ms  why` */
function hookLine({ report, subject, note }: Extract<AgentEvent, { type: "hook" }>, paint: Colours): string {
  const { bold, dim } = paint;
  const about = subject === undefined ? report.event : `${report.event} ${visible(subject)}`;
  const said = note ? ` ${shortened(note, NOTE_LENGTH)}` : "";
  return `  ${verdict(report, paint)} ${bold(visible(report.hook))} ${dim(`${about} · ${durationText(report.durationMs)}`)}${said}`;
}

/** `  ✎ dry-run-first changed tool_input.command to …` */
function rewriteLine({ hook, field, after }: Extract<AgentEvent, { type: "rewritten" }>, paint: Colours): string {
  const value = typeof after === "string" ? after : JSON.stringify(after);
  const to = value === undefined ? "" : ` to ${paint.bold(shortened(value, ARGUMENTS_LENGTH))}`;
  return `  ${paint.cyan("✎")} ${visible(hook)} changed ${visible(field)}${to}`;
}

function verdict({ decision, ok, applied }: HookReport, paint: Colours): string {
  const outcome = !ok && decision === "allow" ? "failed" : decision;
  const text = paint[lookOf(outcome).colour](outcomeText(outcome));
  if (outcome === "failed") return text;
  return applied === false ? `${text} ${paint.dim("(observed)")}` : text;
}

const ENDINGS: Readonly<Record<CallStatus, keyof Colours>> = {
  success: "green",
  error: "red",
  blocked: "red",
  denied: "yellow",
  cancelled: "yellow",
};

function toolLines(event: Extract<AgentEvent, { type: "toolResult" }>, paint: Colours): string[] {
  const { status, display, durationMs, blockedBy } = event;
  const by = blockedBy ? ` by ${visible(blockedBy.join(", "))}` : "";
  const lines = display ? visibleLines(display.trimEnd()) : [];
  const more =
    lines.length > MOST_DISPLAY_LINES ? [paint.dim(`    … ${lines.length - MOST_DISPLAY_LINES} more lines`)] : [];
  return [
    `  ${paint[ENDINGS[status]](`${status}${by}`)} ${paint.dim(`· ${durationText(durationMs)}`)}`,
    ...lines.slice(0, MOST_DISPLAY_LINES).map((line) => paint.dim(`    ${line}`)),
    ...more,
  ];
}

/** The arguments in short; the first text is usually the file or the command. */
export function argumentsOf(args: unknown): string {
  if (typeof args !== "object" || args === null) return String(args);
  const fields = Object.entries(args);
  return fields
    .map(([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
}
