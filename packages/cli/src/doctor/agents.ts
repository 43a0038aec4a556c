import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { clientFiles } from "../hosts/clientFiles.ts";
import { isUntested } from "../hosts/findHosts.ts";
import type { InstalledPlace } from "../hosts/hostReports.ts";
import { type HostStatus, readStatus } from "../hosts/hostStatus.ts";
import { dialectOf } from "../hosts/seatNamed.ts";
import { ago } from "../terminal/ago.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/table.ts";
import { error, type Finding, ok, warning } from "./finding.ts";

/** Whether the agents that hookline was installed into are still guarded. */
export async function agents(io: Io): Promise<readonly Finding[]> {
  const { hosts } = await readStatus(io);
  const installed = hosts.filter(({ report }) => report.installed.length > 0);
  if (installed.length === 0) return [];
  return [...installed.flatMap(agent), ...clientFindings(io.homeDir)];
}

function agent({ report: { found, installed, mods }, seen, missed }: HostStatus): readonly Finding[] {
  const { seat, version } = found;
  const { name, title, tested } = dialectOf(seat);
  const last = missed.at(-1);
  return [
    ...installed.flatMap((place) => placeFindings(place, title)),
    ...mods.map((file) =>
      warning({
        what: `This plugin runs code in ${title} (a mod), which can override the answers of your guards.`,
        file,
        next: `Read what it answers to \`tool.check\`. Managed hooks cannot be overridden: \`hookline install ${name} --managed\`.`,
      }),
    ),
    ...(seen === undefined ? [warning({ what: `${title} never called hookline.`, next: seat.ifSilent })] : []),
    ...(version === undefined ? [] : seat.lacks(version)).map((what) =>
      warning({ what, next: `Then run \`hookline install ${name}\`.` }),
    ),
    ...(isUntested(found)
      ? [
          warning({
            what: `${title} ${version} is not the tested version ${tested}.`,
            next: "Watch `hookline status`.",
          }),
        ]
      : []),
    ...(last === undefined
      ? []
      : [
          warning({
            what: `${counted(missed.length, "call")} of ${title} had no answer in the last day; the last ${ago(last.at)}: ${last.why}.`,
            next: "`hookline daemon run` shows what keeps the daemon from answering.",
          }),
        ]),
  ];
}

function placeFindings({ path, faults }: InstalledPlace, title: string): readonly Finding[] {
  if (faults.length === 0) return [ok(`${title} is guarded`, path)];
  return faults.map(({ what, next }) => error({ what, file: path, next }));
}

/** The client starts the daemon with absolute paths, which an update of Node or of hookline may have moved. */
function clientFindings(homeDir: string): readonly Finding[] {
  const { program, daemonStart } = clientFiles(homeDir);
  const next = "Run `hookline install` again for each agent.";
  const gone = startOf(daemonStart).filter((path) => !existsSync(path));
  return [
    ...(isExecutable(program)
      ? []
      : [error({ what: "The client that agents call is gone, or cannot be executed.", file: program, next })]),
    ...(gone.length === 0
      ? []
      : [error({ what: `What starts the daemon is gone: ${gone.join(", ")}`, file: daemonStart, next })]),
  ];
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Node, and the program. */
function startOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\0").slice(0, 2);
  } catch {
    return [file];
  }
}
