import { HooklineError } from "@hookline/engine";
import { formatPlace } from "@hookline/engine/program";
import { CommanderError } from "commander";
import { colours } from "./colour.ts";
import type { Io } from "./io.ts";
import { visibleJson, visibleLines } from "./visible.ts";

export interface ErrorReport {
  readonly code: string;
  readonly where?: string;
  readonly what: string;
  readonly next: string;
}

/** Prints where, what, and what to do next. For a bug of ours, prints the stack. */
export function reportError(error: unknown, io: Io, { json }: { readonly json: boolean }): void {
  const report = describeError(error);
  if (json) {
    io.stdout(`${visibleJson({ error: report })}\n`);
    return;
  }
  const { red, dim } = colours(io);
  const [first = "", ...more] = visibleLines(report.what);
  const where = report.where === undefined ? "" : `${visibleLines(report.where).join(" ")}: `;
  const lines = [`${red("✗")} ${where}${first}`, ...more, ...visibleLines(report.next).map((line) => dim(`  ${line}`))];
  io.stderr(`${lines.join("\n")}\n`);
}

export function describeError(error: unknown): ErrorReport {
  if (error instanceof HooklineError) {
    const { code, where, what, next } = error;
    return { code, ...(where ? { where: formatPlace(where) } : {}), what, next };
  }
  if (error instanceof CommanderError) return describeUsage(error);
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { code: "INTERNAL", what, next: "This is a bug in hookline; please report it with the text above." };
}

/** commander's `error: unknown command 'lst'\n(Did you mean list?)`. */
function describeUsage({ code, message }: CommanderError): ErrorReport {
  const [first = "", suggestion] = message.replace(/^error: /, "").split("\n");
  const what = `${first.charAt(0).toUpperCase()}${first.slice(1)}.`.replace(/\.\.$/, ".");
  const help = "Run `hookline --help` for the commands.";
  return { code, what, next: suggestion === undefined ? help : suggestion.replace(/^\((.*)\)$/, "$1") };
}
