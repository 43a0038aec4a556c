import { enumerated } from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { showFile } from "../terminal/showPlace.ts";
import { counted } from "../terminal/table.ts";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import { visible, visibleLines } from "../terminal/visible.ts";
import { ASKED_BY_HOOKLINE, isAskedByHookline } from "./askedByHookline.ts";
import type { HostPlan } from "./hostPlan.ts";
import type { Prepared, PreparedHost } from "./prepare.ts";
import type { ProgramPlace } from "./programPlace.ts";
import { dialectOf } from "./seatNamed.ts";
import type { Shortfall } from "./shortfalls.ts";

/** Each file as it would be; at the end, what a person should know about it: differences are long, and the beginning scrolls away. */
export async function preparedView({ hosts, loaded, place }: Prepared, io: Io): Promise<readonly string[]> {
  const { bold, dim } = colours(io);
  const changes = hosts.map(async ({ plan, found }) => [
    `${bold(dialectOf(found.seat).title)} ${dim(`· ${plan.level} · ${fileName(plan, io, loaded.projectRoot)}`)}`,
    ...(await diffView(plan, io, loaded.projectRoot)),
    "",
  ]);
  return [
    ...(await Promise.all(changes)).flat(),
    ...hosts.flatMap((host) => aboutHost(host, io)),
    ...placeNotes(place, io),
  ];
}

function placeNotes({ client, fault }: ProgramPlace, io: Io): readonly string[] {
  const texts = [...(client.note === undefined ? [] : [client.note]), ...(fault === undefined ? [] : [fault.what])];
  return texts.map((text) => colours(io).yellow(`! ${visible(text)}`));
}

function aboutHost({ found, shortfalls, warnings }: PreparedHost, io: Io): readonly string[] {
  const { yellow } = colours(io);
  const { title } = dialectOf(found.seat);
  const texts = [...warnings, ...shortfallTexts(shortfalls).map((text) => `${title}: ${text}`)];
  return texts.map((text) => yellow(`! ${visible(text)}`));
}

/** The name of a file, and where a link leads. */
export function fileName({ file }: Pick<HostPlan, "file">, { homeDir }: Io, projectRoot: string): string {
  const [path, target] = [file.path, file.target].map((one) => showFile(one, { projectRoot, homeDir }));
  return file.path === file.target || path === undefined ? (path ?? "") : `${path} → ${target}`;
}

export async function diffView(plan: HostPlan, io: Io, projectRoot: string): Promise<readonly string[]> {
  const { red, green, cyan, dim } = colours(io);
  if (plan.bytes === undefined) return [dim("nothing to change")];
  const name = showFile(plan.file.target, { projectRoot, homeDir: io.homeDir });
  const style = (line: string) => {
    if (line.startsWith("+")) return green(line);
    if (line.startsWith("-")) return red(line);
    return line.startsWith("@@") ? cyan(line) : line;
  };
  const diff = await unifiedDiff(name, plan.before, plan.after);
  return [...visibleLines(diff.trimEnd()).map(style), ...(plan.bytes === null ? [dim("the file is removed")] : [])];
}

export function shortfallTexts(shortfalls: readonly Shortfall[]): readonly string[] {
  return shortfalls.map((shortfall) => {
    const hooks = `${shortfall.event} (${namesIn(shortfall.hooks)})`;
    if (shortfall.kind === "degraded" && isAskedByHookline(shortfall.outcome, { ...shortfall, is: "degraded" }))
      return `${hooks}: this agent lets no hook ask, so ${ASKED_BY_HOOKLINE}`;
    return shortfall.kind === "never fires"
      ? `${hooks}: this agent never fires it, so the ${shortfall.hooks.length === 1 ? "hook does" : "hooks do"} not run there`
      : `${hooks}: ${shortfall.outcome} becomes ${shortfall.to}: ${shortfall.says}`;
  });
}

const MOST_NAMES = 3;

function namesIn(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  return enumerated([...shown, ...(more > 0 ? [counted(more, "more", "more")] : [])]);
}
