import type { Answer, EventSpec, Rewrite } from "@hookline/engine";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { aligned, type Cell, widthOf } from "../terminal/table.ts";
import { shortened, visible, visibleLines } from "../terminal/visible.ts";
import type { FiredHook, Outcome } from "./firedHook.ts";
import type { Fired } from "./fireEvent.ts";

const MARKS: Readonly<Record<Outcome, readonly [string, keyof Colours]>> = {
  allow: ["✓", "green"],
  block: ["✗", "red"],
  ask: ["?", "yellow"],
  stop: ["■", "red"],
  failed: ["⚠", "yellow"],
  skipped: ["–", "dim"],
  observed: ["○", "cyan"],
};
const MOST_LINES = 20;

/** Every hook on a line, what it said below it. */
export function hooksView(hooks: readonly FiredHook[], io: Io): string[] {
  const paint = colours(io);
  const heads = aligned(
    hooks.map((hook): Cell[] => {
      const [text, style] = MARKS[hook.outcome];
      const name = shortened(hook.entry.config.name, 60);
      const took =
        hook.skipped === undefined ? duration(hook.durationMs) + wish(hook) : `skipped: ${visible(hook.skipped)}`;
      return [{ text, style: paint[style] }, name, { text: took, style: paint.dim }];
    }),
    "  ",
  );
  return hooks.flatMap((hook, index) => [heads[index] ?? "", ...saidBy(hook, paint)]);
}

/** What a hook that only looks on would have done. */
function wish({ outcome, answer }: FiredHook): string {
  if (outcome !== "observed" || answer === undefined) return "";
  return answer.blocks ? ", would block" : answer.stops ? ", would stop" : answer.asks ? ", would ask" : "";
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

/** Field by field, old and new. */
export function rewritesView(rewrites: readonly Rewrite[], io: Io): string[] {
  const { dim, cyan } = colours(io);
  const value = (part: unknown) => shortened(part === undefined ? "(absent)" : (JSON.stringify(part) ?? ""), 60);
  return rewrites.map(({ path, before, after, hook }) =>
    [`  ${cyan(visible(path.join(".")))}`, dim(value(before)), "→", value(after), dim(`by ${visible(hook)}`)].join(" "),
  );
}

const VERDICTS = {
  allow: ["✓", "allowed", "green"],
  block: ["✗", "blocked", "red"],
  stop: ["■", "stopped", "red"],
  ask: ["?", "ask", "yellow"],
} as const;

/** The merged decision, and what then happens. */
export function decisionView({ decisions, result }: Fired, { may }: EventSpec, io: Io): string[] {
  const paint = colours(io);
  return decisions.flatMap((decision) => {
    const [mark, word, style] = VERDICTS[decision];
    const reason = decision === "allow" ? "" : (result.finalOutput?.getEffectiveReason() ?? "");
    const [first = "", ...more] = visibleLines(reason);
    const head = `${mark} ${word}${first ? ": " : ""}`;
    const effect = decision === "allow" ? [] : [paint.dim(`  ${may[decision] ?? ""}`)];
    const indent = " ".repeat(widthOf(head));
    return [
      `${paint[style](head.trimEnd())}${first ? ` ${first}` : ""}`,
      ...more.map((line) => indent + line),
      ...effect,
    ];
  });
}

export function duration(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
