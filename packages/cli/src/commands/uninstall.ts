import { DRY_RUN, HOSTS, levelIn, seatsIn } from "../hosts/hostOptions.ts";
import { uninstallHosts } from "../hosts/uninstallHosts.ts";
import type { Command } from "../terminal/command.ts";

export const uninstall: Command = {
  name: "uninstall",
  summary: "take hookline out of an agent again",
  details:
    "Restores the agent's settings to the byte, unless something else changed them since. Otherwise removes only the hooks of hookline.\nNeeds a terminal, and refuses to work in what an agent starts.",
  parameters: [HOSTS],
  options: [
    { flags: "--user", description: "only for the user" },
    { flags: "--project", description: "only for projects" },
    { flags: "--managed", description: "only in the settings of this machine" },
    DRY_RUN,
    { flags: "--yes", description: "write without a question; still needs a terminal" },
  ],
  examples: [
    ["hookline uninstall claude", "wherever it is installed"],
    ["hookline uninstall codex --dry-run", "see what would be removed"],
  ],
  run: (io, given) =>
    uninstallHosts(io, {
      seats: seatsIn(given),
      level: levelIn(given),
      dryRun: given.options.dryRun === true,
      yes: given.options.yes === true,
      json: given.options.json === true,
      command: ["hookline uninstall", ...given.args].join(" "),
    }),
};
