import { hooksView } from "../fire/fireView.ts";
import { colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import type { Io } from "../terminal/io.ts";
import { showFile, showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { mismatchView } from "./mismatchView.ts";
import type { CaseResult, FileResult } from "./runHooktest.ts";

type Bases = Parameters<typeof showFile>[1];

/** A heading and a line per case; below each failed case, the reasons. */
export async function fileView({ file, problems, cases }: FileResult, io: Io, bases: Bases): Promise<string[]> {
  const { bold, red, dim } = colours(io);
  const advice = [...new Set(problems.map(({ next }) => next))];
  const lines = [
    bold(showFile(file, bases)),
    ...problems.map(({ where, what }) => `  ${red("✗")} ${showPlace(where, bases)}: ${visible(what)}`),
    ...advice.map((next) => dim(`    ${visible(next)}`)),
  ];
  for (const one of cases) lines.push(...(await caseView(one, io, bases)));
  return lines;
}

async function caseView({ test, mismatches, hooks, durationMs }: CaseResult, io: Io, bases: Bases): Promise<string[]> {
  const { green, red, dim } = colours(io);
  const took = dim(durationText(durationMs));
  if (mismatches.length === 0) return [`  ${green("✓")} ${visible(test.name)}  ${took}`];
  const lines = [`  ${red("✗")} ${visible(test.name)}  ${took}`, dim(`    at ${showPlace(test.place, bases)}`)];
  for (const mismatch of mismatches) {
    lines.push(...(await mismatchView(mismatch, io)).map((line) => `    ${line}`));
  }
  const ran = hooksView(hooks, io).map((line) => `    ${line}`);
  return [...lines, ...(ran.length === 0 ? [`    ${dim("no hook ran")}`] : [dim("    what the hooks did"), ...ran])];
}

/** The totals of a test run. */
export interface Totals {
  readonly passed: number;
  readonly failed: number;
  /** Number of files with errors, whose cases could not run. */
  readonly wrong: number;
}

export function totalsOf(results: readonly FileResult[]): Totals {
  const cases = results.flatMap((result) => result.cases);
  const failed = cases.filter(({ mismatches }) => mismatches.length > 0).length;
  const wrong = results.filter(({ problems }) => problems.length > 0).length;
  return { passed: cases.length - failed, failed, wrong };
}

export function totalsView({ passed, failed, wrong }: Totals, files: number, io: Io): string {
  const { green, red } = colours(io);
  const parts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(wrong > 0 ? [`${counted(wrong, "file is", "files are")} wrong`] : []),
    `${passed} passed`,
  ];
  const mark = failed + wrong > 0 ? red("✗") : green("✓");
  return `${mark} ${parts.join(", ")}, in ${counted(files, "file")}`;
}
