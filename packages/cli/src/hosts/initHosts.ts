import { HooklineError } from "@hookline/engine";
import {
  type AnyDeclaration,
  enumerated,
  type HookDeclaration,
  type LoadedSettings,
  needsTrust,
  TrustStore,
} from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import { durationText } from "../terminal/duration.ts";
import { ExitCode, Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";
import { counted } from "../terminal/table.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { examineTrust } from "../trust/examineTrust.ts";
import { type CanaryOutcome, fireCanary } from "./canary.ts";
import { type InstallOptions, installPrepared } from "./installHosts.ts";
import { installJson } from "./installJson.ts";
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
  const tried = end === "declined" || options.dryRun ? [] : await fireCanaries(io, prepared);
  if (options.json) io.stdout(`${visibleJson(await initJson(prepared, tried, end === "written"))}\n`);
  else if (tried.length > 0) io.stdout(`${guardedView(prepared, tried, io).join("\n")}\n`);
  const isGuarded = end !== "declined" && tried.every(({ outcome }) => outcome.kind === "answered");
  return isGuarded ? ExitCode.ok : ExitCode.failure;
}

interface CanaryResult {
  readonly host: PreparedHost;
  readonly outcome: CanaryOutcome;
}

/** One after another: the first may have to start the daemon. */
async function fireCanaries(io: Io, { hosts, loaded }: Prepared): Promise<readonly CanaryResult[]> {
  const tried: CanaryResult[] = [];
  for (const host of hosts) {
    const { title } = dialectOf(host.found.seat);
    const deadlineMs = tried.length === 0 ? START_MS : ANSWER_MS;
    const work = fireCanary(io, { seat: host.found.seat, cwd: loaded.projectRoot, deadlineMs });
    tried.push({ host, outcome: await withProgress(io, () => `trying the hook of ${title}`, work) });
    if (io.signal.aborted) throw new Interrupted();
  }
  return tried;
}

function guardedView({ loaded }: Prepared, tried: readonly CanaryResult[], io: Io): readonly string[] {
  const { bold, cyan, dim } = colours(io);
  const on = loaded.hooks.filter(({ off }) => off === undefined);
  const untrusted = untrustedOf(loaded, io);
  const hooks = on.filter((hook) => !untrusted.has(hook));
  const waiting = on.length - hooks.length;
  return [
    "",
    bold("What is guarded"),
    ...tried.flatMap((one) => hostLines(one, hooks, io)),
    ...(waiting > 0
      ? [
          `${counted(waiting, "hook")} of this project ${waiting === 1 ? "waits" : "wait"} for ${cyan("hookline trust")}.`,
        ]
      : []),
    ...(loaded.hooks.length === 0
      ? [`No hooks are declared yet: ${cyan("hookline new hook")} writes the first one.`]
      : []),
    dim(`${cyan("hookline hosts")} shows what each agent can do, ${cyan("hookline uninstall <host>")} undoes it.`),
  ];
}

/** Hooks of the project that a person has not trusted do not run anywhere. */
function untrustedOf({ hooks, projectRoot }: LoadedSettings, { homeDir }: Io): ReadonlySet<AnyDeclaration> {
  const examined = examineTrust(hooks.filter(needsTrust), new TrustStore(homeDir).read(projectRoot));
  return new Set(examined.flatMap(({ state, declared }) => (state === "trusted" ? [] : [declared])));
}

function hostLines({ host, outcome }: CanaryResult, hooks: readonly HookDeclaration[], io: Io): readonly string[] {
  const { green, red, dim } = colours(io);
  const { title, events } = dialectOf(host.found.seat);
  const fired = new Set(
    Object.values(events)
      .map(({ ours }) => ours)
      .filter((ours) => ours !== null)
      .map(String),
  );
  const running = hooks.filter(({ eventName }) => fired.has(eventName));
  const count =
    running.length === 0
      ? ""
      : `: ${counted(running.length, "hook")} on ${enumerated([...new Set(running.map(({ eventName }) => eventName))])}`;
  const notes = host.notes.map((note) => `  ${visible(note)}`);
  if (outcome.kind === "answered") {
    return [
      `${green("✓")} ${title}${visible(count)} ${dim(`· a canary was answered in ${durationText(outcome.ms)}`)}`,
      ...notes,
    ];
  }
  return [
    `${red("✗")} ${title}: a canary had no answer: ${visible(outcome.why)}`,
    dim(
      "  Until that is mended, the agent's tools are blocked where a guard would be asked. `hookline doctor` looks for the cause.",
    ),
    ...notes,
  ];
}

async function initJson(prepared: Prepared, tried: readonly CanaryResult[], written: boolean): Promise<unknown> {
  const canaries = tried.map(({ host, outcome }) => ({ host: host.found.seat.name, ...outcome }));
  return { install: await installJson(prepared, { written }), canaries };
}

function nothingFound(): HooklineError {
  const looked = enumerated(SEATS.map((seat) => dialectOf(seat).agent.program));
  const what = `No agent was found: neither on PATH nor in your home folder is there a trace of ${looked}.`;
  return new HooklineError({
    code: "OPTION_INVALID",
    what,
    next: "`hookline install <host>` installs for an agent that is still to come.",
  });
}
