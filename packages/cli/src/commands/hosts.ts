import { HOSTS, seatsIn } from "../hosts/hostOptions.ts";
import { hostReports } from "../hosts/hostReports.ts";
import { hostsJson, hostsView } from "../hosts/hostsView.ts";
import { SEATS } from "../hosts/seats.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Command } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

export const hosts: Command = {
  name: "hosts",
  summary: "show other agents: which are here, where hookline is installed, what each can do",
  details: "The table says what becomes of each outcome of a hook in each agent, and how that is known.",
  parameters: [{ ...HOSTS, required: false }],
  options: [],
  examples: [
    ["hookline hosts", "all agents"],
    ["hookline hosts codex", "one agent"],
    ["hookline hosts --json | jq '.hosts[] | select(.installed == [])'", "agents without hookline"],
  ],
  async run(io, given) {
    const seats = given.args.length === 0 ? SEATS : seatsIn(given, "hookline does not know the agent");
    const reports = await hostReports(io, seats, await readSettings(io));
    io.stdout(`${given.options.json ? visibleJson(hostsJson(reports)) : hostsView(reports, io).join("\n")}\n`);
    return ExitCode.ok;
  },
};
