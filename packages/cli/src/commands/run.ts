import { HooklineError } from "@hookline/engine";
import { AGENT_OPTIONS, readAgentFlags } from "../agent/agentFlags.ts";
import { OUTPUTS, type OutputName, runOutput } from "../agent/output/runOutput.ts";
import { runOnce } from "../agent/runOnce.ts";
import type { CliOptions, Command } from "../terminal/command.ts";
import { describeError, reportError } from "../terminal/errorReport.ts";
import { ExitCode, Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { oneOf, readTimeout, textIn } from "../terminal/optionValues.ts";
import { visibleJsonLine } from "../terminal/visible.ts";

export const run: Command = {
  name: "run",
  summary: "let the agent work on one prompt and print its answer",
  details:
    "The prompt is -p or standard input. Calls that need a person's approval are denied, unless --approval-mode allows them,\nor --approvals puts them to you.\nExit code: 0 the turn finished, 1 failure, 2 a hook blocked or stopped the turn.",
  parameters: [],
  options: [
    { flags: "-p, --prompt <text>", description: "the prompt; - is standard input" },
    ...AGENT_OPTIONS,
    { flags: "--approvals", description: "let calls that need approval wait for a person: `hookline asks`" },
    { flags: "--timeout <duration>", description: "end the turn after this time: 90s, 10m" },
    {
      flags: "--output <form>",
      description: "text, json, or stream-json: one line per event",
      completes: OUTPUTS,
    },
  ],
  examples: [
    ['hookline run -p "why does the build fail?"', "with the Gemini API, read-only"],
    ['hookline run -p "fix it" --approval-mode auto-edit --output json', "may edit files; output for a program"],
    ['hookline run -p "hi" --model openai:llama3.2@http://localhost:11434/v1', "a model on this machine"],
    ['hookline run -p "hi" --model replay:answers.jsonl', "recorded answers, no key"],
  ],
  run: async (io, { options }) => {
    const form = options.json === true ? "json" : oneOf(textIn(options, "output") ?? "text", OUTPUTS, "--output");
    try {
      return await start(io, form, options);
    } catch (error) {
      if (form === "text" || error instanceof Interrupted) throw error;
      if (form === "json") reportError(error, io, { json: true });
      else io.stdout(`${visibleJsonLine({ type: "result", error: describeError(error) })}\n`);
      return ExitCode.failure;
    }
  },
};

async function start(io: Io, form: OutputName, options: CliOptions["options"]): Promise<number> {
  const flags = readAgentFlags(io, options);
  const timeoutMs = readTimeout(textIn(options, "timeout"));
  const prompt = await readPrompt(io, textIn(options, "prompt"));
  const end = await runOnce(io, {
    flags,
    prompt,
    output: runOutput(form, io),
    asksForTrust: form === "text",
    asksPerson: options.approvals === true,
    timeoutMs,
  });
  switch (end.kind) {
    case "finished":
      return ExitCode.ok;
    case "stopped":
      return ExitCode.objection;
    case "cancelled":
      return ExitCode.interrupted;
    case "failed":
      if (form === "text") reportError(end.error, io, { json: false });
      return ExitCode.failure;
  }
}

async function readPrompt(io: Io, given: string | undefined): Promise<string> {
  const isPiped = given === "-" || (given === undefined && !io.interactive);
  const prompt = isPiped ? await io.readStdin() : (given ?? "");
  if (prompt.trim() !== "") return prompt.trim();
  throw new HooklineError({
    code: "OPTION_INVALID",
    what: "There is no prompt.",
    next: 'Write it with -p "…", or pipe it in.',
  });
}
