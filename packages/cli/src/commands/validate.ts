import type { Problem } from "@hookline/engine/program";
import { workerNote } from "../checks/coldWorkers.ts";
import { type Findings, findingsIn, othersIn } from "../checks/findings.ts";
import { checkHooks } from "../checks/index.ts";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { readSettings } from "../project/readSettings.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible, visibleJson } from "../terminal/visible.ts";

export const validate: Command = {
  name: "validate",
  summary: "check the settings and hook files, and report each problem with its place",
  details: "Runs nothing and needs no trust.",
  parameters: [
    {
      name: "path",
      description: "settings, hook and ability files, or project folders (default: all layers)",
      many: true,
      completes: "files",
    },
  ],
  options: [{ flags: "--strict", description: "fail on warnings too" }],
  examples: [
    ["hookline validate", "all layers"],
    ["hookline validate --strict .hookline/settings.json", "one file, in CI"],
  ],
  async run(io, { args, options }) {
    const loaded = await readSettings(io);
    const findings = args.length > 0 ? await findingsIn(args, io) : await everything(loaded);
    const { problems } = findings;
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const summary = { ...findings, errors, warnings: problems.length - errors };
    const bases = { projectRoot: loaded.projectRoot, homeDir: io.homeDir };
    io.stdout(`${(options.json ? [visibleJson(jsonOf(summary))] : asText(summary, bases, io)).join("\n")}\n`);
    return errors > 0 || (options.strict && problems.length > 0) ? ExitCode.failure : ExitCode.ok;
  },
};

async function everything(loaded: Awaited<ReturnType<typeof readSettings>>): Promise<Findings> {
  const files = loaded.layers.filter(({ state }) => state !== "absent").map(({ file }) => file);
  const problems = [...loaded.problems, ...(await checkHooks(loaded))];
  const { hooks, others } = loaded;
  return { problems, files, hooks: hooks.length, others: othersIn(others), notes: workerNote(hooks) };
}

interface Summary extends Findings {
  readonly errors: number;
  readonly warnings: number;
}

function jsonOf({ problems, files, hooks, others, ...more }: Summary): object {
  return { problems, files, hooks, ...others, ...more };
}

function asText(summary: Summary, bases: Parameters<typeof showPlace>[1], io: Io): string[] {
  const { problems, errors, warnings, files, hooks, others, notes } = summary;
  const { red, yellow, green, dim } = colours(io);
  const declared = [
    counted(hooks, "hook"),
    ...DECLARATION_KINDS.flatMap(({ jsonKey, words }) => {
      const count = others[jsonKey] ?? 0;
      return count === 0 ? [] : [counted(count, words.word, words.many)];
    }),
  ];
  const seen = `${declared.join(", ")} in ${counted(files.length, "file")}`;
  const said = notes.map((note) => dim(`  ${note}`));
  if (problems.length === 0) return [`${green("✓")} ${seen}, no problems`, ...said];
  const mark = { error: red("error"), warning: yellow("warning") };
  const sorted = problems.toSorted(byPlace);
  const lines = [...new Set(problems.map(({ where }) => where.file))].flatMap((file) => [
    ...sorted
      .filter(({ where }) => where.file === file)
      .flatMap(({ where, severity, what, next }) => [
        `${showPlace(where, bases)} ${mark[severity]} ${visible(what)}`,
        dim(`  ${visible(next)}`),
      ]),
    "",
  ]);
  const counts = `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
  return [...lines, `${(errors > 0 ? red : yellow)(counts)} ${dim(`(${seen})`)}`, ...said];
}

function byPlace({ where: a }: Problem, { where: b }: Problem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}
