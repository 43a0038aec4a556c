import { ago } from "../terminal/ago.ts";
import { type Colours, colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showFile } from "../terminal/showPlace.ts";
import { aligned, type Cell, counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { isFound, isUntested } from "./findHosts.ts";
import type { HostStatus, Status } from "./hostStatus.ts";
import { overridersOf } from "./overriders.ts";
import { dialectOf } from "./seatNamed.ts";

/** One line for each agent of this machine, and below it what keeps hookline from guarding it. */
export function statusText({ hosts, daemon }: Status, io: Io): readonly string[] {
  const paint = colours(io);
  const { bold, dim } = paint;
  const here = hosts.filter(({ report, seen }) => isFound(report.found) || isInstalled(report) || seen !== undefined);
  const lines = aligned(here.map((host) => line(host, io, paint)));
  const runs =
    daemon === undefined ? "does not run; the next call starts it" : `process ${daemon.pid}, version ${daemon.version}`;
  const questions = daemon?.questions ?? 0;
  return [
    ...(here.length === 0 ? ["No agent was found that hookline can guard."] : []),
    ...here.flatMap((host, index) => [lines[index] ?? "", ...remarks(host, paint)]),
    "",
    dim(`daemon: ${visible(runs)}`),
    ...(questions === 0 ? [] : [bold(`${counted(questions, "question")} for you: hookline asks`)]),
  ];
}

function line({ report, seen }: HostStatus, io: Io, { green, yellow, dim }: Colours): readonly Cell[] {
  const { title } = dialectOf(report.found.seat);
  const places = report.installed.filter(({ isThere }) => isThere);
  const files = places.map(
    ({ level, path }) => `${level} ${showFile(path, { projectRoot: io.cwd, homeDir: io.homeDir })}`,
  );
  const firing = seen === undefined ? "never called" : `last call ${ago(seen.lastAt)} (${visible(seen.lastEvent)})`;
  if (places.length === 0) return [{ text: "○", style: dim }, title, { text: "not guarded", style: dim }, ""];
  const isWorking = seen !== undefined;
  return [
    isWorking ? { text: "●", style: green } : { text: "●", style: yellow },
    title,
    `guarded · ${files.join(", ")}`,
    isWorking ? firing : { text: firing, style: yellow },
  ];
}

function remarks({ report, seen, missed }: HostStatus, { yellow, dim }: Colours): readonly string[] {
  const { found } = report;
  const dialect = dialectOf(found.seat);
  const gone = report.installed.filter(({ isThere }) => !isThere);
  const last = missed.at(-1);
  const isGuarded = report.installed.length > gone.length;
  const refused = missed.filter(({ wasRefused }) => wasRefused).length;
  return [
    ...gone.map(({ path }) =>
      yellow(`  ! the hooks of hookline are gone from ${visible(path)}: hookline install ${dialect.name}`),
    ),
    ...(last === undefined
      ? []
      : [
          yellow(
            `  ! ${counted(missed.length, "call")} of the last day had no answer, ${refused} refused; the last ${ago(last.at)}: ${visible(last.why)}`,
          ),
        ]),
    ...(seen?.unknownEvents ?? []).map((event) =>
      yellow(`  ! it fires ${visible(event)}, which hookline does not know: let through`),
    ),
    ...(isGuarded && isUntested(found)
      ? [yellow(`  ! version ${visible(found.version ?? "?")} is not the tested ${dialect.tested}`)]
      : []),
    ...(isGuarded ? overridersOf(dialect).map((text) => dim(`  can be overridden by ${text}`)) : []),
    ...(isGuarded || !isFound(found) ? [] : [dim(`  hookline install ${dialect.name}`)]),
  ];
}

function isInstalled({ installed }: HostStatus["report"]): boolean {
  return installed.length > 0;
}

export function statusJson({ hosts, daemon }: Status): unknown {
  return {
    hosts: hosts.map(({ report: { found, installed }, seen, missed }) => ({
      name: found.seat.name,
      found: isFound(found),
      version: found.version ?? null,
      isTested: found.version !== undefined && !isUntested(found),
      installed,
      seen: seen ?? null,
      missed,
      overriddenBy: overridersOf(dialectOf(found.seat)),
    })),
    daemon: daemon ?? null,
  };
}
