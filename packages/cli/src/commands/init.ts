import { DRY_RUN } from "../hosts/hostOptions.ts";
import { initHosts } from "../hosts/initHosts.ts";
import type { Command } from "../terminal/command.ts";

export const init: Command = {
  name: "init",
  summary: "find the agents on this machine, and let your hooks guard them",
  details:
    "Shows what it would write into the settings of each agent, asks, writes it, and then calls its own hook once as the agent would.\nAt a terminal it also shows the hooks of this project that are not trusted, and asks, as `hookline trust` does.\nThe call is harmless: it asks about the command `true`, which does not run.",
  parameters: [],
  options: [
    DRY_RUN,
    { flags: "--yes", description: "write without a question" },
    {
      flags: "--accept-degraded",
      description: "accept that an agent ends the turn where a hook blocks, if it cannot block",
    },
  ],
  examples: [
    ["hookline init", "from nothing to guarded agents"],
    ["hookline init --dry-run", "see what would be written"],
  ],
  run: (io, { options }) =>
    initHosts(io, {
      level: "user",
      trustProject: false,
      dryRun: options.dryRun === true,
      yes: options.yes === true,
      acceptDegraded: options.acceptDegraded === true,
      json: options.json === true,
      command: "hookline init",
    }),
};
