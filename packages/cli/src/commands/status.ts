import { readStatus } from "../hosts/hostStatus.ts";
import { statusJson, statusText } from "../hosts/hostStatusView.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

export const status: Command = {
  name: "status",
  summary: "show which agents are guarded, and whether they really call",
  details: "An agent that never called may skip its hooks: Codex does so until you trust them with /hooks.",
  parameters: [],
  options: [],
  examples: [
    ["hookline status", "is Claude Code guarded?"],
    ["hookline status --json | jq '.hosts[] | select(.missed != [])'", "agents with calls that had no answer"],
  ],
  async run(io, { options }) {
    const status = await readStatus(io);
    io.stdout(`${options.json === true ? visibleJson(statusJson(status)) : statusText(status, io).join("\n")}\n`);
    return ExitCode.ok;
  },
};
