import { HooklineError } from "@hookline/engine";
import { enumerated, type HookDeclaration } from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import { ExitCode, Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";
import { counted } from "../terminal/table.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { type CanaryOutcome, fireCanary } from "./canary.ts";
import { declaredHooks, hooksNotice } from "./declaredHooks.ts";
import { fitted } from "./fitted.ts";
import { denyingProblems } from "./hostStatus.ts";
import { unreadLines } from "./hostStatusView.ts";
import { type InstallOptions, installPrepared, undoHint } from "./installHosts.ts";
import { installJson } from "./installJson.ts";
import { offerTrust } from "./offerTrust.ts";
import { type PlaceFault, placeFaults } from "./placeFaults.ts";
import type { Places } from "./places.ts";
import { type Prepared, type PreparedHost, prepareInstall } from "./prepare.ts";
import { dialectOf } from "./seatNamed.ts";
import { SEATS } from "./seats.ts";

/** For an answer of a daemon that has to start, and of one that has been asked before. */
const START_MS = 20_000;
const ANSWER_MS = 5_000;

/** Installs hookline into every agent of this machine, and sees whether it answers them. */
export async function initHosts(io: Io, options: Omit<InstallOptions, "seats">): Promise<number> {
  const all = { ...options, seats: SEATS, onlyFound: true };
  const prepared = await prepareInstall(io, all);
  if (prepared.hosts.length === 0) throw nothingFound();
  const end = await installPrepared(io, prepared, all);
  const mayAsk = io.interactive && !options.yes && !options.json && !options.dryRun;
  if (end !== "declined" && mayAsk) await offerTrust(io, prepared.loaded);
  const tried = end === "declined" || options.dryRun ? [] : await fireCanaries(io, prepared);
  if (options.json) io.stdout(`${visibleJson(await initJson(prepared, tried, end === "written"))}\n`);
  else if (tried.length > 0) io.stdout(`${guardedView(prepared, tried, io).join("\n")}\n`);
  const isGuarded =
    end !== "declined" && tried.every(({ outcome, faults }) => outcome.kind === "answered" && faults.length === 0);
  return isGuarded ? ExitCode.ok : ExitCode.failure;
}

interface CanaryResult {
  readonly host: PreparedHost;
  /** Why the agent does not call, although hookline would answer. */
  readonly faults: readonly PlaceFault[];
  readonly outcome: CanaryOutcome;
}

/** One after another: the first may have to start the daemon. */
async function fireCanaries(io: Io, { hosts, loaded }: Prepared): Promise<readonly CanaryResult[]> {
  const tried: CanaryResult[] = [];
  for (const host of hosts) {
    const { title } = dialectOf(host.found.seat);
    const deadlineMs = tried.length === 0 ? START_MS : ANSWER_MS;
    const work = fireCanary(io, { seat: host.found.seat, cwd: loaded.projectRoot, deadlineMs });
    const outcome = await withProgress(io, () => `trying the hook of ${title}`, work);
    tried.push({ host, outcome, faults: faultsOf(host, { ...io, projectRoot: loaded.projectRoot }) });
    if (io.signal.aborted) throw new Interrupted();
  }
  return tried;
}

function faultsOf({ found, plan }: PreparedHost, places: Places): readonly PlaceFault[] {
  const { seat, level, file } = plan;
  return placeFaults({ seat, level, path: file.path, version: found.version }, places);
}

function guardedView({ loaded }: Prepared, tried: readonly CanaryResult[], io: Io): readonly string[] {
  const { bold, yellow } = colours(io);
  const hooks = declaredHooks(loaded, io);
  const notice = hooksNotice(hooks);
  return [
    "",
    bold(hooks.running.length > 0 ? "What is guarded" : "What is connected"),
    ...tried.flatMap((one) => hostLines(one, hooks.running, io)),
    ...unreadLines(denyingProblems(loaded, io), io),
    ...(notice === undefined ? [] : fitted(`! ${notice}`, io, { first: "" }).map(yellow)),
    ...undoHint(io),
  ];
}

function hostLines(
  { host, outcome, faults }: CanaryResult,
  hooks: readonly HookDeclaration[],
  io: Io,
): readonly string[] {
  const { green, red } = colours(io);
  const { title, events: theirs } = dialectOf(host.found.seat);
  const fired = new Set(
    Object.values(theirs)
      .map(({ ours }) => ours)
      .filter((ours) => ours !== null)
      .map(String),
  );
  const running = hooks.filter(({ eventName }) => fired.has(eventName));
  const events = enumerated([...new Set(running.map(({ eventName }) => eventName))]);
  const count = running.length === 0 ? "connected" : `${counted(running.length, "hook")} on ${events}`;
  const notes = host.notes.flatMap((note) => fitted(visible(note), io));
  const line = (mark: string, text: string) =>
    fitted(`${title}: ${visible(text)}`, io, { first: "" }).map((words, index) =>
      index === 0 ? `${mark} ${words}` : words,
    );
  if (faults.length > 0) {
    return [...faults.flatMap(({ what, next }) => line(red("✗"), `not guarded. ${what} ${next}`)), ...notes];
  }
  if (outcome.kind === "answered") {
    return [...line(green("✓"), `${count} · a canary was answered in ${durationText(outcome.ms)}`), ...notes];
  }
  return [
    ...line(red("✗"), `a canary had no answer: ${outcome.why}`),
    ...fitted("Until this is fixed, guarded tool calls of this agent are blocked.", io),
    ...fitted("`hookline doctor` looks for the cause.", io),
    ...notes,
  ];
}

async function initJson(prepared: Prepared, tried: readonly CanaryResult[], written: boolean): Promise<unknown> {
  const canaries = tried.map(({ host, outcome, faults }) => ({ host: host.found.seat.name, ...outcome, faults }));
  return { install: await installJson(prepared, { written }), canaries };
}

function nothingFound(): HooklineError {
  const looked = enumerated(SEATS.map((seat) => dialectOf(seat).agent.program));
  const what = `No agent found: looked on PATH and in your home folder for ${looked}.`;
  return new HooklineError({
    code: "OPTION_INVALID",
    what,
    next: "`hookline install <host>` installs for an agent that you add later.",
  });
}
