import { existsSync, readFileSync } from "node:fs";
import { clientFiles } from "../hosts/clientFiles.ts";
import { isUntested } from "../hosts/findHosts.ts";
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
  return installed.length === 0 ? [] : [...installed.flatMap(agent), ...clientFindings(io.homeDir)];
}

function agent({ report: { found, installed }, seen, missed }: HostStatus): readonly Finding[] {
  const { name, title, tested } = dialectOf(found.seat);
  const again = `Run \`hookline install ${name}\`.`;
  const last = missed.at(-1);
  return [
    ...installed.map(({ path, isThere }) =>
      isThere
        ? ok(`${title} is guarded`, path)
        : error({ what: `The hooks of hookline are gone, so ${title} is not guarded.`, file: path, next: again }),
    ),
    ...(seen === undefined
      ? [warning({ what: `${title} never called hookline.`, next: neverCalled(found.seat.notes("user")) })]
      : []),
    ...(isUntested(found)
      ? [
          warning({
            what: `${title} ${found.version} is not the tested version ${tested}.`,
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

function neverCalled(notes: readonly string[]): string {
  return notes[0] ?? "Start it once; if it still does not call, look at its settings.";
}

/** The client starts the daemon with absolute paths, which an update of Node or of hookline may have moved. */
function clientFindings(homeDir: string): readonly Finding[] {
  const { program, daemonStart } = clientFiles(homeDir);
  const next = "Run `hookline install` again for each agent.";
  const gone = startOf(daemonStart).filter((path) => !existsSync(path));
  return [
    ...(existsSync(program) ? [] : [error({ what: "The client that agents call is gone.", file: program, next })]),
    ...(gone.length === 0
      ? []
      : [error({ what: `What starts the daemon is gone: ${gone.join(", ")}`, file: daemonStart, next })]),
  ];
}

/** Node, and the program. */
function startOf(file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split("\0").slice(0, 2);
  } catch {
    return [file];
  }
}
