import { existsSync } from "node:fs";
import { join } from "node:path";
import { enumerated, type LoadedSettings } from "@hookline/engine/program";
import { assertMayDecide, assertNotBelowSession } from "../decisions/decide.ts";
import { readSettings } from "../project/readSettings.ts";
import { colours } from "../terminal/colour.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { changeView } from "./changeView.ts";
import { endDaemon } from "./endDaemon.ts";
import { fitted } from "./fitted.ts";
import { assertWritable, type HostPlan, planUninstall } from "./hostPlan.ts";
import { namesClient } from "./hostReports.ts";
import { type Installed, readInstalled, withoutPath, writeInstalled } from "./installed.ts";
import { planJson } from "./installJson.ts";
import { isAgreed } from "./isAgreed.ts";
import { removeClient } from "./placeClient.ts";
import { type Places, settingsPaths } from "./places.ts";
import type { Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";
import { removeFolders, writeHostFile } from "./writeHostFile.ts";

export interface UninstallOptions {
  readonly seats: readonly Seat[];
  /** Undefined: wherever it is installed. */
  readonly level: Level | undefined;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly json: boolean;
  readonly command: string;
}

/** Shows what would be undone, asks, and undoes it. */
export async function uninstallHosts(io: Io, options: UninstallOptions): Promise<number> {
  const { json, dryRun, command } = options;
  const loaded = await readSettings(io);
  const installed = readInstalled(io.homeDir);
  const plans = plansOf(options, { ...io, projectRoot: loaded.projectRoot }, installed);
  if (!json) io.stdout(`${(await plansView(plans, options, io, loaded)).join("\n")}\n`);
  const end = async (written: boolean, code: number, text = "") => {
    if (json) io.stdout(`${visibleJson({ written, hosts: await Promise.all(plans.map(planJson)) })}\n`);
    else if (text !== "") io.stdout(`${text}\n`);
    return code;
  };
  if (dryRun) return end(false, ExitCode.ok, "Nothing was written: this is a dry run.");
  if (plans.length === 0) return end(false, ExitCode.ok);
  assertWritable(plans);
  assertNotBelowSession(io, command);
  const question = `Remove hookline from ${titlesOf(options.seats)}? Your hooks no longer guard what runs there.`;
  const next = "Look at it with --dry-run, then type it in a terminal.";
  if (!(await isAgreed(io, { ...options, question, next })))
    return end(false, ExitCode.failure, "Nothing was written.");
  const about = { hosts: options.seats.map(({ name }) => name) };
  await assertMayDecide(io, loaded, { command, about });
  const left = undo(io, plans, installed);
  const isLast = left.hosts.length === 0;
  const isOver = isLast && (await endDaemon(io.homeDir));
  if (isLast) removeClient(io.homeDir, { made: installed.folders, keepsDaemon: !isOver });
  return end(true, ExitCode.ok, uninstalledView(plans, { left, isOver }, io).join("\n"));
}

/** What is on record, and files that hold hooks of ours without being on it. */
function plansOf({ seats, level }: UninstallOptions, places: Places, installed: Installed): readonly HostPlan[] {
  return seats.flatMap((seat) => {
    const recorded = installed.hosts.filter(({ host }) => host === seat.name);
    const others = settingsPaths(seat, places).filter(({ path }) => !recorded.some((entry) => entry.path === path));
    return [...recorded, ...others.filter(({ path }) => namesClient(path, places.homeDir))]
      .filter((entry) => level === undefined || entry.level === level)
      .map((entry) => planUninstall(seat, entry, places.homeDir, installed));
  });
}

async function plansView(
  plans: readonly HostPlan[],
  options: UninstallOptions,
  io: Io,
  { projectRoot }: LoadedSettings,
) {
  const detail = options.dryRun ? "diff" : "count";
  const views = plans.map(async (plan) => [...(await changeView(plan, io, { detail, projectRoot })), ""]);
  const absent = options.seats.filter((seat) => !plans.some((plan) => plan.seat === seat));
  return [
    ...(await Promise.all(views)).flat(),
    ...absent.map((seat) => `hookline is not installed in ${dialectOf(seat).title}.`),
  ];
}

/** Returns what is still installed. */
function undo({ homeDir }: Io, plans: readonly HostPlan[], installed: Installed): Installed {
  let left = installed;
  for (const { file, bytes } of plans) {
    if (bytes !== undefined) writeHostFile(file, bytes);
    if (bytes === null || file.bytes === undefined)
      removeFolders(left.hosts.find(({ path }) => path === file.path)?.folders ?? []);
    left = withoutPath(left, file.path);
    writeInstalled(homeDir, left);
  }
  return left;
}

const DAEMON_RUNS = "The daemon still runs. `hookline asks` shows its questions, `hookline daemon stop` ends it.";

const KEEPS = " ~/.hookline keeps your settings, your trust and the journal.";

function keepsState({ homeDir }: Io): boolean {
  return existsSync(join(homeDir, ".hookline"));
}

interface UninstallEnd {
  readonly left: Installed;
  /** Nothing of hookline runs for agents any more. */
  readonly isOver: boolean;
}

function uninstalledView(plans: readonly HostPlan[], { left, isOver }: UninstallEnd, io: Io): readonly string[] {
  const { green, dim, yellow } = colours(io);
  const still = left.hosts.map(({ host, path }) => dim(`  still in ${host}: ${visible(path)}`));
  return [
    ...plans.map(({ seat, level }) => `${green("✓")} removed from ${dialectOf(seat).title} ${dim(`· ${level}`)}`),
    ...still,
    ...(isOver ? fitted(`No agent calls hookline any more.${keepsState(io) ? KEEPS : ""}`, io).map(dim) : []),
    ...(isOver || still.length > 0 ? [] : fitted(DAEMON_RUNS, io, { first: "! " }).map(yellow)),
  ];
}

function titlesOf(seats: readonly Seat[]): string {
  return enumerated(seats.map((seat) => dialectOf(seat).title));
}
