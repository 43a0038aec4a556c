import type { EventSpec } from "@hookline/engine";
import { type Answer, answeredDecision, type Decision, type Rewrite } from "@hookline/engine/program";
import { type Colours, colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import type { Io } from "../terminal/io.ts";
import { lookOf } from "../terminal/outcome.ts";
import { aligned, type Cell, widthOf } from "../terminal/table.ts";
import { shortened, visible, visibleLines } from "../terminal/visible.ts";
import type { FiredHook } from "./firedHook.ts";
import type { Fired } from "./fireEvent.ts";

const MOST_LINES = 20;

/** One line per hook, with its messages below. */
export function hooksView(hooks: readonly FiredHook[], io: Io): string[] {
  const paint = colours(io);
  const heads = aligned(
    hooks.map((hook): Cell[] => {
      const { mark, colour } = lookOf(hook.outcome);
      const name = shortened(hook.entry.config.name, 60);
      const took =
        hook.skipped === undefined ? durationText(hook.durationMs) + wish(hook) : `skipped: ${visible(hook.skipped)}`;
      return [{ text: mark, style: paint[colour] }, name, { text: took, style: paint.dim }];
    }),
    "  ",
  );
  return hooks.flatMap((hook, index) => [heads[index] ?? "", ...saidBy(hook, paint)]);
}

/** What an observing hook would have decided. */
function wish({ outcome, answer }: FiredHook): string {
  const decision = answeredDecision(answer);
  return outcome === "observed" && decision !== "allow" ? `, would ${decision}` : "";
}

function saidBy({ answer, failure, notes, stderr }: FiredHook, { dim, yellow }: Colours): string[] {
  const quotes = answer === undefined ? [] : said(answer);
  const told = [failure?.message ?? "", ...quotes.map(({ text }) => text)].join("\n");
  return [
    ...(failure ? block("failed", failure.message, yellow) : []),
    ...quotes.flatMap(({ label, text }) => block(label, text, dim)),
    ...(stderr === "" || told.includes(stderr) ? [] : block("stderr", stderr, dim)),
    ...notes.flatMap((note) => block("note", note, dim)),
  ];
}

function said(answer: Answer): { label: string; text: string }[] {
  const { reasons, stopReasons, messages, contexts, logs, signals, specific } = answer;
  const all = (label: string, texts: readonly string[]) => texts.map((text) => ({ label, text }));
  return [
    ...all("reason", [...new Set([...stopReasons, ...reasons])]),
    ...all("message", messages),
    ...all("context", contexts),
    ...all("log", logs),
    ...all(
      "signal",
      signals.map(({ kind, code, payload }) => `${kind} ${code} ${JSON.stringify(payload) ?? ""}`.trim()),
    ),
    ...Object.entries(specific).map(([key, value]) => ({ label: key, text: JSON.stringify(value) ?? "" })),
  ];
}

function block(label: string, text: string, style: (text: string) => string): string[] {
  const lines = visibleLines(text.trimEnd());
  const more = lines.length > MOST_LINES ? [`… ${lines.length - MOST_LINES} more lines`] : [];
  const indent = " ".repeat(8 + label.length);
  return [...lines.slice(0, MOST_LINES), ...more].map((line, index) =>
    index === 0 ? `      ${style(label)}  ${line}` : `${indent}${line}`,
  );
}

/** One line per changed field, old and new value. */
export function rewritesView(rewrites: readonly Rewrite[], io: Io): string[] {
  const { dim, cyan } = colours(io);
  const value = (part: unknown) => shortened(part === undefined ? "(absent)" : (JSON.stringify(part) ?? ""), 60);
  return rewrites.map(({ path, before, after, hook }) =>
    [`  ${cyan(visible(path.join(".")))}`, dim(value(before)), "→", value(after), dim(`by ${visible(hook)}`)].join(" "),
  );
}

const VERDICTS: Readonly<Record<Decision, string>> = {
  allow: "allowed",
  block: "blocked",
  stop: "stopped",
  ask: "ask",
};

/** The merged decision and its effect. */
export function decisionView({ decisions, result }: Fired, { may }: EventSpec, io: Io): string[] {
  const paint = colours(io);
  return decisions.flatMap((decision) => {
    const { mark, colour } = lookOf(decision);
    const reason = decision === "allow" ? "" : (result.finalOutput?.getEffectiveReason() ?? "");
    const [first = "", ...more] = visibleLines(reason);
    const head = `${mark} ${VERDICTS[decision]}${first ? ": " : ""}`;
    const effect = decision === "allow" ? [] : [paint.dim(`  ${may[decision] ?? ""}`)];
    const indent = " ".repeat(widthOf(head));
    return [
      `${paint[colour](head.trimEnd())}${first ? ` ${first}` : ""}`,
      ...more.map((line) => indent + line),
      ...effect,
    ];
  });
}
