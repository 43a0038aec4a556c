import { enumerated } from "@hookline/engine/program";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import { ASKED_BY_HOOKLINE, isAskedByHookline } from "./askedByHookline.ts";
import { changeView, type Detail } from "./changeView.ts";
import { fitted } from "./fitted.ts";
import type { Prepared, PreparedHost } from "./prepare.ts";
import type { ProgramPlace } from "./programPlace.ts";
import { dialectOf } from "./seatNamed.ts";
import type { Shortfall } from "./shortfalls.ts";

/** What would become of each file; at the end, what a person should know about it: the beginning scrolls away. */
export async function preparedView(
  { hosts, loaded, place }: Prepared,
  io: Io,
  detail: Detail,
): Promise<readonly string[]> {
  const { projectRoot } = loaded;
  const changes = hosts.map(async ({ plan }) => [...(await changeView(plan, io, { detail, projectRoot })), ""]);
  return [
    ...(await Promise.all(changes)).flat(),
    ...hosts.flatMap((host) => aboutHost(host, io)),
    ...placeNotes(place, io),
  ];
}

function placeNotes({ client, fault }: ProgramPlace, io: Io): readonly string[] {
  const texts = [...(client.note === undefined ? [] : [client.note]), ...(fault === undefined ? [] : [fault.what])];
  return texts.flatMap((text) => warningLines(text, io));
}

function aboutHost({ found, shortfalls, warnings }: PreparedHost, io: Io): readonly string[] {
  const { title } = dialectOf(found.seat);
  const texts = [...warnings, ...shortfallTexts(shortfalls).map((text) => `${title}: ${text}`)];
  return texts.flatMap((text) => warningLines(text, io));
}

function warningLines(text: string, io: Io): readonly string[] {
  return fitted(visible(text), io, { first: "! " }).map(colours(io).yellow);
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
