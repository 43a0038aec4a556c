import type { FileResult } from "../hooktest/index.ts";
import { settingsErrors, settingsErrorsView } from "../project/settingsErrors.ts";
import { BoundedNotices } from "../sandbox/boundedNotices.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { noticeTo } from "../terminal/notice.ts";
import { withProgress } from "../terminal/progress.ts";
import { visibleJson } from "../terminal/visible.ts";

export const test: Command = {
  name: "test",
  summary: "run the tests of the project's hooks",
  details:
    "Runs *.hooktest.yaml files, by default all of the project. Each file runs in a copy of the project that is removed afterwards.\nExit code: 0 all passed, 1 a test failed, a file is invalid, or there are none.",
  parameters: [{ name: "path", description: "test files, or folders with test files", many: true, completes: "files" }],
  options: [
    { flags: "--trust-project", description: "trust this project's hooks in their current state, for this run" },
    { flags: "--in-place", description: "run in the project itself, not in copies" },
  ],
  examples: [
    ["hookline test", "every test of the project"],
    ["hookline test scripts/hooks/no-secrets.hooktest.yaml", "one file"],
    ["hookline test --trust-project --json", "from a program"],
  ],
  async run(io, { args, options }) {
    const { openTests, runAll, fileView, totalsOf, totalsView, hooktestJson } = await import("../hooktest/index.ts");
    const json = options.json === true;
    const inPlace = options.inPlace === true;
    const { dim } = colours(io);
    const { project, read, notices } = await openTests(io, {
      paths: args,
      trustProject: options.trustProject === true,
      json,
    });
    const told = new BoundedNotices(json ? () => {} : noticeTo(io));
    for (const notice of notices) told.add(notice);
    if (inPlace) io.stderr(`${dim("Running in the project itself: files that hooks and tests write remain there.")}\n`);
    if (!json) for (const line of settingsErrorsView(project, io)) io.stderr(`${line}\n`);

    const bases = { projectRoot: project.projectRoot, homeDir: io.homeDir };
    const results: FileResult[] = [];
    const all = runAll(read, { project, inPlace, signal: io.signal, onNotice: (notice) => told.add(notice) });
    const next = () =>
      withProgress(io, () => `running tests, ${results.length} of ${read.length} files done`, all.next());
    try {
      for (let step = await next(); !step.done; step = await next()) {
        results.push(step.value);
        if (!json) io.stdout(`${(await fileView(step.value, io, bases)).join("\n")}\n\n`);
      }
    } finally {
      await all.return(undefined);
      told.end();
    }
    const totals = totalsOf(results);
    if (!json) io.stdout(`${totalsView(totals, results.length, io)}\n`);
    else {
      const { projectRoot } = project;
      const problems = settingsErrors(project);
      io.stdout(`${visibleJson(hooktestJson({ projectRoot, results, notices: told.all, problems }))}\n`);
    }
    return totals.failed + totals.wrong > 0 ? ExitCode.failure : ExitCode.ok;
  },
};
