import { resolve } from "node:path";
import { askDaemon } from "../daemon/askDaemon.ts";
import { daemonStatusSchema, stoppedSchema } from "../daemon/controlSchemas.ts";
import { runDaemon } from "../daemon/runDaemon.ts";
import { startDaemon } from "../daemon/startDaemon.ts";
import { daemonJson, daemonText } from "../daemon/statusView.ts";
import { assertMayDecide, belowSession } from "../decisions/decide.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Command, CommandGroup } from "../terminal/command.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import { visibleJson } from "../terminal/visible.ts";

const start: Command = {
  name: "start",
  summary: "start it, unless it is running",
  details: "Agents start it themselves with their first call.",
  parameters: [],
  options: [],
  examples: [["hookline daemon start", "before a demonstration"]],
  async run(io, { options }) {
    const started = await startDaemon(io.homeDir);
    const said = started.isOld
      ? `The daemon is already running (process ${started.pid}).`
      : `The daemon is running now (process ${started.pid}).`;
    io.stdout(`${options.json === true ? visibleJson(started) : said}\n`);
    return ExitCode.ok;
  },
};

const stop: Command = {
  name: "stop",
  summary: "end it, once the calls in progress are answered",
  details: "Open questions are denied. The next call of an agent starts it again.",
  parameters: [],
  options: [],
  examples: [["hookline daemon stop", "after an update"]],
  async run(io, { options }) {
    const command = "hookline daemon stop";
    await assertMayDecide(io, await readSettings(io), { command, about: {} });
    const stopped = await askDaemon(io.homeDir, { ask: "stop" }, stoppedSchema);
    if (stopped?.kind === "refused") throw belowSession(command, stopped.session);
    const wasRunning = stopped !== undefined;
    const said = wasRunning ? "The daemon is stopping." : "The daemon is not running.";
    io.stdout(`${options.json === true ? visibleJson({ wasRunning }) : said}\n`);
    return ExitCode.ok;
  },
};

const status: Command = {
  name: "status",
  summary: "show whether it is running, for which projects, and which agents called",
  parameters: [],
  options: [],
  examples: [["hookline daemon status", "is it there?"]],
  async run(io, { options }) {
    const daemon = await askDaemon(io.homeDir, { ask: "status" }, daemonStatusSchema);
    io.stdout(`${options.json === true ? visibleJson(daemonJson(daemon)) : daemonText(daemon, io).join("\n")}\n`);
    return ExitCode.ok;
  },
};

const run: Command = {
  name: "run",
  summary: "run it in this terminal, until Ctrl-C",
  parameters: [],
  options: [
    {
      flags: "--home <folder>",
      description: "whose hooks: the home folder that hookline was installed for",
      completes: "folders",
    },
  ],
  examples: [["hookline daemon run", "why does it not start?"]],
  async run(io, { options }) {
    const homeDir = typeof options.home === "string" ? resolve(io.cwd, options.home) : io.homeDir;
    return runDaemon({ ...io, homeDir });
  },
};

export const daemon: CommandGroup = {
  name: "daemon",
  summary: "the process that answers the hooks of other agents",
  commands: [start, stop, status, run],
};
