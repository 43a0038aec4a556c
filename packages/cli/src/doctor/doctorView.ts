import { isoTime } from "../journal/views/times.ts";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { type Examination, troublesIn } from "./examine.ts";
import { type Finding, isTrouble, type Trouble } from "./finding.ts";
import type { Repair } from "./repair/repairAll.ts";

/** One line per finding, with its advice below. */
export function doctorView(found: Examination, repairs: readonly Repair[], io: Io): string[] {
  const { bold, dim, green, yellow, red } = colours(io);
  const bases = { projectRoot: found.projectRoot, homeDir: io.homeDir };
  const mark = { ok: green("✓"), warning: yellow("!"), error: red("✗") };
  const lines = (finding: Finding) => {
    const where = finding.where ? `${showPlace(finding.where, bases)}: ` : "";
    const line = `  ${mark[finding.severity]} ${where}${visible(finding.what)}`;
    return isTrouble(finding) ? [line, dim(`      ${visible(finding.next)}`)] : [line];
  };
  const names = found.undeclared.map(({ hook }) => visible(hook)).join(", ");
  return [
    ...found.sections.flatMap(({ title, findings }) => [bold(title), ...findings.flatMap(lines)]),
    ...(found.undeclared.length === 0 ? [] : [dim(`  recorded here but no longer declared: ${names}`)]),
    ...(repairs.length === 0 ? [] : [bold("repaired")]),
    ...repairs.map(({ isDone, what }) => `  ${isDone ? mark.ok : mark.error} ${visible(what)}`),
    "",
    summary(troublesIn(found), io),
  ];
}

function summary(troubles: readonly Trouble[], io: Io): string {
  const { green, yellow, red } = colours(io);
  if (troubles.length === 0) return green("✓ no problems found");
  const errors = troubles.filter(({ severity }) => severity === "error").length;
  const counts = `${counted(errors, "error")}, ${counted(troubles.length - errors, "warning")}`;
  const fixable = troubles.filter(({ fix }) => fix).length;
  const offer = fixable === 0 ? "" : `; \`hookline doctor --fix\` repairs ${fixable} of them`;
  return errors > 0 ? `${red(`✗ ${counts}`)}${offer}` : `${yellow(`! ${counts}`)}${offer}`;
}

export function doctorJson(found: Examination, repairs: readonly Repair[]): object {
  const { projectRoot, sections, hooks, undeclared } = found;
  const troubles = troublesIn(found);
  const errors = troubles.filter(({ severity }) => severity === "error").length;
  return {
    projectRoot,
    errors,
    warnings: troubles.length - errors,
    sections: Object.fromEntries(sections.map(({ title, findings }) => [title, findings.map(findingJson)])),
    hooks: hooks.map(({ last, p95Us, ...hook }) => ({
      ...hook,
      p95Ms: p95Us === undefined ? null : Math.round(p95Us) / 1_000,
      last: last ? { outcome: last.outcome, at: isoTime(last.at), reason: last.reason ?? null } : null,
    })),
    undeclared: undeclared.map(({ hook, source, outcome, at }) => {
      return { hook, source, outcome, at: isoTime(at) };
    }),
    repairs,
  };
}

function findingJson(finding: Finding): object {
  if (!isTrouble(finding)) return finding;
  const { fix, ...said } = finding;
  return { ...said, fixable: fix !== undefined };
}
