import { ago } from "../terminal/ago.ts";
import { colours, type Style } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showFile, showPlace } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { hooksNotice } from "./declaredHooks.ts";
import { isFound, isUntested } from "./findHosts.ts";
import { fitted } from "./fitted.ts";
import { guardState } from "./hostReports.ts";
import type { HostStatus, Status } from "./hostStatus.ts";
import { overridersOf } from "./overriders.ts";
import { dialectOf } from "./seatNamed.ts";

/** Each agent of this machine, and below it what keeps hookline from guarding it. */
export function statusText(status: Status, io: Io): readonly string[] {
  const { hosts, hooks, unread, daemon } = status;
  const { bold, dim, yellow } = colours(io);
  const here = hosts.filter(({ report, seen }) => isFound(report.found) || isInstalled(report) || seen !== undefined);
  const anyInstalled = here.some(({ report }) => guardState(report) !== "not guarded");
  const asksTrust = here.some(({ report }) => report.installed.some(({ trustsProject }) => !trustsProject));
  const notice = anyInstalled ? hooksNotice(hooks, { asksTrust }) : undefined;
  const questions = daemon?.questions ?? 0;
  return [
    ...(here.length === 0 ? ["No agent was found that hookline can guard."] : []),
    ...here.flatMap((host) => [...line(host, unread.length > 0, io), ...remarks(host, io)]),
    "",
    ...unreadLines(unread, io),
    ...(notice === undefined ? [] : styled(yellow, `! ${notice}`, io)),
    dim(daemonLine(status)),
    ...(questions === 0 ? [] : [bold(`${counted(questions, "question")} for you: hookline asks`)]),
  ];
}

function line({ report, seen }: HostStatus, isBlocked: boolean, io: Io): readonly string[] {
  const { green, yellow, red, dim, bold } = colours(io);
  const { title } = dialectOf(report.found.seat);
  const state = guardState(report);
  const isOff = state === "not guarded";
  const firing = seen === undefined ? "never called" : `last call ${ago(seen.lastAt)} (${visible(seen.lastEvent)})`;
  const words = [isBlocked && state === "guarded" ? "blocked" : state, ...(isInstalled(report) ? [firing] : [])];
  const isFine = state === "guarded" && seen !== undefined && !isBlocked;
  const mark = !isInstalled(report) ? dim("○") : isFine ? green("●") : isOff || isBlocked ? red("●") : yellow("●");
  const [first = "", ...more] = fitted(`${title} · ${words.join(" · ")}`, io, { first: "" });
  return [`${mark} ${first.startsWith(title) ? bold(title) + first.slice(title.length) : first}`, ...more];
}

function remarks(host: HostStatus, io: Io): readonly string[] {
  const { yellow, dim } = colours(io);
  const { report, seen } = host;
  const { found, installed, mods } = report;
  const dialect = dialectOf(found.seat);
  const isGuarded = guardState(report) !== "not guarded";
  const troubles = [
    ...missedRemarks(host),
    ...(seen?.unknownEvents ?? []).map(
      (event) => `it fires ${visible(event)}, which hookline does not know: let through`,
    ),
    ...(isGuarded && isUntested(found)
      ? [`version ${visible(found.version ?? "?")} is not the tested ${dialect.tested}`]
      : []),
    ...mods.map((folder) => `a mod that may override answers: ${showFile(folder, basesOf(io))}`),
  ];
  return [
    ...installed.flatMap(({ level, path, faults }) => [
      ...indented(dim, `${level} ${showFile(path, basesOf(io))}`, io),
      ...faults.flatMap(({ what, next }) => indented(yellow, `! ${visible(what)} ${visible(next)}`, io)),
    ]),
    ...troubles.flatMap((text) => indented(yellow, `! ${text}`, io)),
    ...(isGuarded ? overridersOf(dialect) : []).flatMap((text) => indented(dim, `can be overridden by ${text}`, io)),
    ...(isInstalled(report) || !isFound(found) ? [] : indented(dim, `hookline install ${dialect.name}`, io)),
  ];
}

function missedRemarks({ missed }: HostStatus): readonly string[] {
  const last = missed.at(-1);
  if (last === undefined) return [];
  const refused = missed.filter(({ wasRefused }) => wasRefused).length;
  return [
    `${counted(missed.length, "call")} of the last day had no answer, ${refused} refused; the last ${ago(last.at)}: ${visible(last.why)}`,
  ];
}

function daemonLine({ daemon }: Status): string {
  const runs = daemon && `process ${daemon.pid}, version ${visible(daemon.version)}`;
  return `daemon: ${runs ?? "not running; the next call starts it"}`;
}

/** Settings that cannot be read. */
export function unreadLines(unread: Status["unread"], io: Io): readonly string[] {
  const { red } = colours(io);
  if (unread.length === 0) return [];
  return [
    ...unread.flatMap(({ where, what }) => styled(red, `✗ ${showPlace(where, basesOf(io))} ${visible(what)}`, io)),
    ...styled(red, "Until this is fixed, guarded tool calls are blocked: hookline validate", io),
  ];
}

const basesOf = (io: Io) => ({ projectRoot: io.cwd, homeDir: io.homeDir });

function styled(style: Style, text: string, io: Io): readonly string[] {
  return fitted(text, io, { first: "" }).map(style);
}

function indented(style: Style, text: string, io: Io): readonly string[] {
  return fitted(text, io, { rest: "    " }).map(style);
}

function isInstalled({ installed }: HostStatus["report"]): boolean {
  return installed.length > 0;
}

export function statusJson({ hosts, hooks, unread, daemon }: Status): unknown {
  return {
    hosts: hosts.map(({ report, seen, missed }) => {
      const { found, installed, mods } = report;
      return {
        name: found.seat.name,
        found: isFound(found),
        version: found.version ?? null,
        isTested: found.version !== undefined && !isUntested(found),
        state: guardState(report),
        installed,
        seen: seen ?? null,
        missed,
        mods,
        overriddenBy: overridersOf(dialectOf(found.seat)),
      };
    }),
    hooks: { running: hooks.running.length, untrusted: hooks.untrusted.map(({ name }) => name) },
    unread,
    daemon: daemon ?? null,
  };
}
