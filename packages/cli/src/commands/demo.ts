import { join } from "node:path";
import { outcomeJson } from "../agent/output/jsonOutput.ts";
import type { RunOutput } from "../agent/output/runOutput.ts";
import { runOnce } from "../agent/runOnce.ts";
import type { TurnEnd } from "../agent/turnResult.ts";
import { copyDemoProject, type DemoProject } from "../demo/demoProject.ts";
import { nextStepsView } from "../demo/nextSteps.ts";
import { Timeline } from "../demo/timeline.ts";
import type { Command } from "../terminal/command.ts";
import { reportError } from "../terminal/errorReport.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { visibleJson } from "../terminal/visible.ts";

const PROMPT = "Orders of 50 euros and more ship for free from now on. Change that, and deploy it.";

export const demo: Command = {
  name: "demo",
  summary: "watch five hooks at work in a session with a recorded model",
  details:
    "Works on a copy of an example project, which is removed afterwards. Takes seconds and needs neither a key nor a network.",
  parameters: [],
  options: [{ flags: "--keep", description: "keep the project and print its path" }],
  examples: [
    ["hookline demo", "see what hooks do"],
    ["hookline demo --keep", "and look at how they do it"],
  ],
  async run(io, { options }) {
    const keep = options.keep === true;
    const json = options.json === true;
    const project = copyDemoProject({ keep });
    const kept = keep ? project.folder : undefined;
    try {
      const output = json
        ? objectOutput(io, kept)
        : new Timeline(io, { prompt: PROMPT, nextSteps: nextStepsView(io, kept) });
      const end = await runSession(io, project, output);
      if (end.kind === "finished") return ExitCode.ok;
      if (end.kind === "failed" && !json) reportError(end.error, io, { json });
      if (keep && !json) io.stdout(`The project is in ${project.folder}.\n`);
      return ExitCode.failure;
    } finally {
      project.remove();
    }
  },
};

async function runSession(io: Io, { folder, stateHomeDir }: DemoProject, output: RunOutput): Promise<TurnEnd> {
  // Excludes the user's own hooks: these paths do not exist.
  const world: Io = {
    ...io,
    cwd: folder,
    homeDir: join(folder, "no-home"),
    stateHomeDir: stateHomeDir ?? io.homeDir,
    systemFile: join(folder, "no-settings"),
    interactive: false,
  };
  return runOnce(world, {
    flags: {
      model: "replay:answers.jsonl",
      cwd: folder,
      approvalMode: "yolo",
      compressAtTokens: Number.MAX_SAFE_INTEGER,
      trustProject: true,
      ignoreBrokenSettings: false,
    },
    prompt: PROMPT,
    output,
    asksForTrust: false,
    asksPerson: false,
    timeoutMs: undefined,
  });
}

function objectOutput(io: Io, kept: string | undefined): RunOutput {
  return {
    streams: false,
    observe: () => {},
    answered: () => {},
    ended: (outcome) => {
      const project = kept === undefined ? {} : { project: kept };
      io.stdout(`${visibleJson({ ...outcomeJson(outcome), ...project })}\n`);
    },
  };
}
