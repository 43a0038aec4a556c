import { askDaemon } from "../daemon/askDaemon.ts";
import { questionsSchema } from "../daemon/controlSchemas.ts";
import { questionsText } from "../daemon/questionsView.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

export const asks: Command = {
  name: "asks",
  summary: "show the open questions of hooks, for agents that cannot ask",
  details: "Answer with `hookline approve <id>` or `hookline deny <id> [reason]`.",
  parameters: [],
  options: [],
  examples: [["hookline asks", "what waits for me?"]],
  async run(io, { options }) {
    const open = (await askDaemon(io.homeDir, { ask: "questions" }, questionsSchema)) ?? [];
    io.stdout(`${options.json === true ? visibleJson(open) : questionsText(open, io).join("\n")}\n`);
    return ExitCode.ok;
  },
};
