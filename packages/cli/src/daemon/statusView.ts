import { ago } from "../terminal/ago.ts";
import { colours } from "../terminal/colour.ts";
import type { Io } from "../terminal/io.ts";
import { aligned, counted } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";
import type { DaemonStatus } from "./control.ts";

export function daemonJson(status: DaemonStatus | undefined): unknown {
  return status === undefined ? { running: false } : { running: true, ...status };
}

export function daemonText(status: DaemonStatus | undefined, io: Io): readonly string[] {
  if (status === undefined) return ["The daemon is not running. Agents start it with their first call."];
  const { bold, dim } = colours(io);
  const { pid, version, startedAt, hosts, projects, questions } = status;
  const agents = hosts.map(({ host, calls, lastAt, lastEvent, unknownEvents }) => [
    visible(host),
    counted(calls, "call"),
    `last ${visible(lastEvent)}, ${ago(lastAt)}`,
    unknownEvents.length === 0 ? "" : `not known to hookline: ${unknownEvents.map(visible).join(", ")}`,
  ]);
  const rooms = projects.map(({ root, hooks, untrusted }) => [
    visible(root),
    counted(hooks, "hook"),
    untrusted === 0 ? "" : `${untrusted} not trusted`,
  ]);
  return [
    `The daemon is running (process ${pid}), version ${visible(version)}, started ${ago(startedAt)}.`,
    ...(questions === 0 ? [] : [`${counted(questions, "question")} for you: \`hookline asks\``]),
    "",
    bold("agents"),
    ...(agents.length === 0 ? [dim("  none has called yet")] : aligned(agents, "  ")),
    "",
    bold("projects"),
    ...(rooms.length === 0 ? [dim("  none yet")] : aligned(rooms, "  ")),
  ];
}
