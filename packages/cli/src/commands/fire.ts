import { HooklineError } from "@hookline/engine";
import { type Fired, FireRecords, fireEvent } from "../fire/fireEvent.ts";
import { fireJson } from "../fire/fireJson.ts";
import { fireText } from "../fire/fireText.ts";
import { hooksView } from "../fire/fireView.ts";
import { readInput, subjectIn } from "../project/eventInput.ts";
import { eventNamed } from "../project/eventNamed.ts";
import { openProject, type Project } from "../project/openProject.ts";
import { settingsErrors } from "../project/settingsErrors.ts";
import { colours } from "../terminal/colour.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode, Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { noticeTo } from "../terminal/notice.ts";
import { withProgress } from "../terminal/progress.ts";
import { counted } from "../terminal/table.ts";
import { visibleJson } from "../terminal/visible.ts";
import { trustPolicy } from "../trust/trustPolicy.ts";

export const fire: Command = {
  name: "fire",
  summary: "run the real hooks of an event, and show what each one answers",
  details:
    "The input is the event's sample, unless --input gives another; key=value sets single fields, dotted ones too.\nExit code: 0 allowed, 2 blocked or stopped, 3 a person must decide.",
  parameters: [
    { name: "event", description: "the event", required: true, completes: "events" },
    { name: "key=value", description: "fields to set; values that parse as JSON are JSON", many: true },
  ],
  options: [
    { flags: "--input <file>", description: "the input as a JSON file; - is standard input", completes: "files" },
    { flags: "--trust-project", description: "trust this project's hooks as they are, for this run" },
  ],
  examples: [
    ["hookline fire BeforeTool tool_name=write_file tool_input.file_path=.env", "would writing .env pass?"],
    ["hookline fire SessionStart --input - --json < start.json", "from a program"],
  ],
  async run(io, { args: [name = "", ...overrides], options }) {
    const event = eventNamed(name);
    const from = typeof options.input === "string" ? options.input : undefined;
    const input = await readInput(io, event, { from, overrides });
    const json = options.json === true;
    const records = new FireRecords();
    const project = await openProject(io, {
      trust: trustPolicy(io, { trustProject: options.trustProject === true, json }),
      unreadSettings: "ignore",
      recorders: [records],
      onNotice: noticeTo(io),
      firesAtOnce: true,
    });
    try {
      const firing = fireEvent(project.system, { eventName: name, input, signal: io.signal }, records);
      const fired = await withProgress(io, () => `running ${counted(records.running, "hook")}`, firing);
      if (io.signal.aborted) throw new Interrupted();
      // An error without a hook concerns the event itself: nothing was decided.
      const fault = fired.result.errors.find(({ hook }) => hook === undefined);
      if (fault) throw new HooklineError({ code: fault.code, what: fault.message });
      const subject = subjectIn(event.spec, input);
      if (!json) io.stdout(`${fireText({ event, subject, fired, records, project }, io).join("\n")}\n`);
      await settle(project, records, io);
      const background = records.background();
      const hooks = [...fired.hooks, ...background];
      const problems = settingsErrors(project.loaded);
      if (json) io.stdout(`${visibleJson(fireJson({ name, subject, fired: { ...fired, hooks }, problems }))}\n`);
      else if (background.length > 0) io.stdout(`${["", "afterwards", ...hooksView(background, io)].join("\n")}\n`);
      return exitCodeOf(fired);
    } finally {
      await project.close();
    }
  },
};

/** Hooks that block nothing may still be at work; the answer stands already. */
async function settle({ system }: Project, records: FireRecords, io: Io): Promise<void> {
  if (records.running > 0 && io.stderrIsTTY) {
    io.stderr(colours(io).dim(`waiting for ${counted(records.running, "background hook")}\n`));
  }
  await system.settle(io.signal);
}

function exitCodeOf({ decisions }: Fired): number {
  if (decisions.includes("block") || decisions.includes("stop")) return ExitCode.objection;
  return decisions.includes("ask") ? ExitCode.ask : ExitCode.ok;
}
