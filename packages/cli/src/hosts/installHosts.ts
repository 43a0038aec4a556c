import { enumerated } from "@hookline/engine/program";
import { assertMayDecide, assertNotBelowSession } from "../decisions/decide.ts";
import { ProgramError } from "../errors.ts";
import { colours } from "../terminal/colour.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { applyInstall } from "./applyInstall.ts";
import { fileName } from "./changeView.ts";
import { fitted } from "./fitted.ts";
import { assertWritable } from "./hostPlan.ts";
import { installJson } from "./installJson.ts";
import { preparedView, shortfallTexts } from "./installView.ts";
import { isAgreed } from "./isAgreed.ts";
import { changesAnything, type InstallRequest, type Prepared, prepareInstall } from "./prepare.ts";
import { dialectOf } from "./seatNamed.ts";

export interface InstallOptions extends InstallRequest {
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly acceptDegraded: boolean;
  readonly json: boolean;
  /** As typed, for messages. */
  readonly command: string;
}

/** Shows what would be written, asks, and writes it. */
export async function installHosts(io: Io, options: InstallOptions): Promise<number> {
  const prepared = await prepareInstall(io, options);
  const done = await installPrepared(io, prepared, options);
  if (options.json) io.stdout(`${visibleJson(await installJson(prepared, { written: done === "written" }))}\n`);
  else if (done === "written") io.stdout(`${installedView(prepared, io).join("\n")}\n`);
  return done === "declined" ? ExitCode.failure : ExitCode.ok;
}

export type InstallEnd = "written" | "nothing" | "declined";

export async function installPrepared(io: Io, prepared: Prepared, options: InstallOptions): Promise<InstallEnd> {
  const { json, dryRun, trustProject, command } = options;
  const detail = dryRun ? "diff" : options.yes ? "count" : "hooks";
  if (!json) io.stdout((await preparedView(prepared, io, detail)).map((line) => `${line}\n`).join(""));
  if (dryRun) return say(io, options, "Nothing was written: this is a dry run.");
  if (prepared.place.fault !== undefined) throw prepared.place.fault;
  if (!options.acceptDegraded) refuseDegraded(prepared, command);
  if (!changesAnything(prepared)) return say(io, options, `${namesOf(prepared)}: everything is in place already.`);
  assertWritable(prepared.hosts.map(({ plan }) => plan));
  assertNotBelowSession(io, command);
  const isAsked = io.interactive && !json && !options.yes;
  if (isAsked) io.stdout(`${colours(io).dim(`\`${command} --dry-run\` shows each line.`)}\n`);
  const question = `Install hookline into ${namesOf(prepared)}?`;
  const next = "Look at it with --dry-run, then add --yes.";
  if (!(await isAgreed(io, { ...options, question, next }))) {
    io.stdout("Nothing was written.\n");
    return "declined";
  }
  if (trustProject) {
    const about = { hosts: prepared.hosts.map(({ found }) => found.seat.name), trustProject };
    await assertMayDecide(io, prepared.loaded, {
      command: `${command} --trust-project`,
      about,
      isExpected: options.yes,
    });
  }
  applyInstall(io, prepared);
  return "written";
}

function say(io: Io, { json }: InstallOptions, text: string): InstallEnd {
  if (!json) io.stdout(`${visible(text)}\n`);
  return "nothing";
}

/** A host that can only end the turn where a hook says no: a person must have said that this will do. */
function refuseDegraded({ hosts }: Prepared, command: string): void {
  const open = hosts.flatMap(({ found, shortfalls }) => {
    const texts = shortfallTexts(shortfalls.filter((one) => one.kind === "degraded" && one.needsConsent));
    return texts.map((text) => `${dialectOf(found.seat).title}: ${text}`);
  });
  if (open.length === 0) return;
  const what = `The agent cannot honour every outcome of these hooks. ${open.join("; ")}.`;
  throw new ProgramError({
    code: "INSTALL_REFUSED",
    what,
    next: `To accept that, run \`${command} --accept-degraded\`.`,
  });
}

export function namesOf({ hosts }: Pick<Prepared, "hosts">): string {
  return enumerated(hosts.map(({ found }) => dialectOf(found.seat).title));
}

export function installedView({ hosts, loaded }: Prepared, io: Io): readonly string[] {
  const { green, dim } = colours(io);
  return [
    ...hosts.flatMap(({ found, plan, notes }) => [
      `${green("✓")} ${dialectOf(found.seat).title} ${dim(fileName(plan, io, loaded.projectRoot))}`,
      ...notes.flatMap((note) => fitted(visible(note), io)),
    ]),
    ...undoHint(io),
  ];
}

/** The end of every installation. */
export function undoHint(io: Io): readonly string[] {
  const { dim, cyan } = colours(io);
  return [
    dim(`${cyan("hookline hosts")} shows what each agent can do,`),
    dim(`${cyan("hookline uninstall <host>")} undoes it.`),
  ];
}
