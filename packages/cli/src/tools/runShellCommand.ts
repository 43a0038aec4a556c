import { statSync } from "node:fs";
import type { ToolResult } from "@hookline/engine";
import { findShell, type ProcessEnding, ProcessGroups, runProcess, scrubEnvironment } from "@hookline/engine/process";
import { z } from "zod";
import { tailOf } from "../terminal/cutText.ts";
import { shortened } from "../terminal/visible.ts";
import { defineTool } from "./defineTool.ts";
import { rootCommands } from "./rootCommands.ts";
import { ShellOutput } from "./shellOutput.ts";
import { ToolFault } from "./toolFault.ts";
import type { Workspace } from "./workspace.ts";

const DEFAULT_TIMEOUT_MS = 2 * 60 * 1000;
const MAX_TIMEOUT_MS = 10 * 60 * 1000;
const KILL_GRACE_MS = 2_000;
const MAX_COMMAND_CHARS = 100_000; // Linux allows 128 KiB per argument
const SHOWN_TAIL_CHARS = 2_000;

const schema = () =>
  z.object({
    command: z
      .string()
      .max(MAX_COMMAND_CHARS)
      .refine((command) => command.trim() !== "", "the command is empty")
      .refine((command) => !command.includes("\0"), "the command contains a NUL character")
      .describe("The command, as typed into bash (sh where there is no bash)."),
    description: z
      .string()
      .optional()
      .describe("What the command does, in a sentence, for the person who approves it."),
    dir_path: z.string().min(1).optional().describe("The folder to run it in; default: the workspace."),
    timeout: z.int().min(1).max(MAX_TIMEOUT_MS).optional().describe("Milliseconds until it is killed; default 120000."),
  });

export const runShellCommand = defineTool({
  name: "run_shell_command",
  kind: "exec",
  description:
    "Runs a shell command in the workspace and returns what it prints, with its exit code if that is not 0. Its input is empty, so it cannot ask questions. At the timeout it is killed with its process group.",
  schema,
  otherNames: { directory: "dir_path" },
  check: ({ dir_path }, { workspace }) => void folderOf(workspace, dir_path),
  describe: ({ command, description, dir_path }, { workspace }) => ({
    type: "exec",
    title: `Run ${shortened(command, 80)}?`,
    command,
    rootCommand: rootCommands(command),
    dir: folderOf(workspace, dir_path),
    ...(description === undefined ? {} : { description }),
  }),
  async run({ command, dir_path, timeout = DEFAULT_TIMEOUT_MS }, { workspace, signal, onOutput, env = process.env }) {
    const output = new ShellOutput(onOutput);
    const ending = await runProcess(
      {
        argv: [findShell(env.PATH), "-c", "--", command],
        stdin: "",
        cwd: folderOf(workspace, dir_path),
        env: { ...scrubEnvironment(env, []).env, HOOKLINE: "1" }, // so that a script can detect hookline
        timeoutMs: timeout,
        killGraceMs: KILL_GRACE_MS,
        outputLimitBytes: 0, // `ShellOutput` keeps it, both streams in one
        onOutput: (text) => output.add(text),
        reportLeftBehind: true,
        ...(signal ? { signal } : {}),
      },
      new ProcessGroups(),
    );
    if (ending.kind === "aborted") signal?.throwIfAborted();
    return resultOf(ending, output.text());
  },
});

function resultOf(ending: ProcessEnding, output: string): ToolResult {
  const shown = { returnDisplay: tailOf(output, SHOWN_TAIL_CHARS) || "(no output)" };
  const body = output === "" ? "(no output)" : output;
  switch (ending.kind) {
    case "exited": {
      const notes = [
        ...(ending.code === 0 ? [] : [`Exit code: ${ending.code}`]),
        ...(ending.leftBehind
          ? ["It left processes running in the background; their further output is not captured."]
          : []),
      ];
      return { llmContent: [body, ...notes].join("\n"), ...shown, metadata: { exitCode: ending.code } };
    }
    case "killed":
      return { llmContent: `${body}\nKilled by ${ending.signal}`, ...shown, metadata: { signal: ending.signal } };
    case "timedOut": {
      const message = `The command took longer than ${ending.afterMs} ms and was killed with its process group. Its output until then:\n${body}`;
      const error = { message, type: "execution_failed" };
      return { llmContent: message, ...shown, error, metadata: { timedOut: true } };
    }
    case "notStarted":
      throw new ToolFault(`The command could not be started: ${ending.cause.message}`);
    case "aborted":
      throw new DOMException("The command was cancelled", "AbortError");
  }
}

function folderOf(workspace: Workspace, path = "."): string {
  const folder = workspace.resolve(path);
  if (!workspace.isCurrent(folder)) throw new ToolFault(`${path} now leads to another folder than at the check.`);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) throw new ToolFault(`${workspace.show(folder)} is not a folder.`);
  return folder;
}
