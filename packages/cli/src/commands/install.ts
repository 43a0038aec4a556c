import { HooklineError } from "@hookline/engine";
import { CLIENT_KINDS, clientIn, DRY_RUN, HOSTS, levelIn, seatsIn } from "../hosts/hostOptions.ts";
import { installHosts } from "../hosts/installHosts.ts";
import type { Command } from "../terminal/command.ts";

export const install: Command = {
  name: "install",
  summary: "let your hooks guard other agents, too: Claude Code, Codex, Gemini CLI",
  details:
    "Adds a hook to the agent's own settings for each event that hookline knows there. Shows the change and asks first.\nKeeps comments, formatting and the hooks of others. A second run changes nothing.",
  parameters: [HOSTS],
  options: [
    { flags: "--user", description: "for all your projects (default)" },
    { flags: "--project", description: "for this project only" },
    { flags: "--managed", description: "in the settings of this machine, which a user cannot override" },
    DRY_RUN,
    { flags: "--yes", description: "write without a question" },
    {
      flags: "--accept-degraded",
      description: "accept that an agent ends the turn where a hook blocks, if it cannot block",
    },
    {
      flags: "--client <kind>",
      description:
        "what the agent starts: native, curl or node; the first that this machine has, which is also the fastest",
      completes: CLIENT_KINDS,
    },
    { flags: "--trust-project", description: "run the hooks of every project without asking for trust; for CI" },
  ],
  examples: [
    ["hookline install claude", "guard Claude Code in all your projects"],
    ["hookline install claude codex --dry-run", "see what would be written"],
    ["hookline install gemini --yes --trust-project", "in CI"],
  ],
  run: (io, given) => {
    const { options } = given;
    const level = levelIn(given) ?? "user";
    const trustProject = options.trustProject === true;
    if (trustProject && level === "project") {
      const what = "--trust-project is not for --project: a project must not vouch for itself.";
      throw new HooklineError({ code: "OPTION_INVALID", what, next: "Use it with --user or --managed." });
    }
    return installHosts(io, {
      seats: seatsIn(given),
      level,
      trustProject,
      client: clientIn(given),
      dryRun: options.dryRun === true,
      yes: options.yes === true,
      acceptDegraded: options.acceptDegraded === true,
      json: options.json === true,
      command: ["hookline install", ...given.args].join(" "),
    });
  },
};
