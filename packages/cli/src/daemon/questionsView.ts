import { colours } from "../terminal/colour.ts";
import { decisionLines } from "../terminal/decisionText.ts";
import type { Io } from "../terminal/io.ts";
import { visible } from "../terminal/visible.ts";
import type { OpenQuestion } from "./broker.ts";

/** The whole of each question: a person decides about nothing that is not shown. */
export function questionsText(open: readonly OpenQuestion[], io: Io): readonly string[] {
  if (open.length === 0) return ["No question is open."];
  const { bold, dim } = colours(io);
  return open.flatMap(({ id, host, folder, subject, reason, details, until }, index) => [
    ...(index === 0 ? [] : [""]),
    `${bold(id)}  ${visible(host)}: ${visible(subject)}  ${dim(`in ${visible(folder)}, ${secondsTo(until)} s left`)}`,
    ...decisionLines(reason).map((line) => `  ${line}`),
    ...decisionLines(details).map((line) => dim(`    ${line}`)),
    `  ${dim(`hookline approve ${id}   or   hookline deny ${id} <reason>`)}`,
  ]);
}

function secondsTo(until: number): number {
  return Math.max(0, Math.round((until - Date.now()) / 1000));
}
