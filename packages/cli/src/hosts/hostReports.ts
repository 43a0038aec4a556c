import { readFileSync } from "node:fs";
import { EVENTS } from "@hookline/engine";
import { readSettings } from "../project/readSettings.ts";
import type { Io } from "../terminal/io.ts";
import { clientFiles } from "./clientFiles.ts";
import type { FoundHost } from "./findHosts.ts";
import { readInstalled } from "./installed.ts";
import { findHosts } from "./prepare.ts";
import type { Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

/** What is known of one host, on this machine and in general. */
export interface HostReport {
  readonly found: FoundHost;
  readonly installed: readonly InstalledPlace[];
  /** Events of agents that this host never fires. */
  readonly never: readonly string[];
}

interface InstalledPlace {
  readonly level: Level;
  readonly path: string;
  /** False: the hooks of hookline were taken out of the file. */
  readonly isThere: boolean;
}

export async function hostReports(io: Io, seats: readonly Seat[]): Promise<readonly HostReport[]> {
  const { projectRoot } = await readSettings(io);
  const { hosts } = readInstalled(io.homeDir);
  const found = await findHosts(io, seats, { ...io, projectRoot });
  return found.map((host) => ({
    found: host,
    installed: hosts
      .filter((entry) => entry.host === host.seat.name)
      .map(({ level, path }) => ({ level, path, isThere: namesClient(path, io.homeDir) })),
    never: neverFired(host.seat),
  }));
}

/** Whether a file of a host holds hooks of ours. */
export function namesClient(path: string, homeDir: string): boolean {
  try {
    return readFileSync(path, "utf8").includes(clientFiles(homeDir).program);
  } catch {
    return false; // there is none, or it is not readable
  }
}

function neverFired(seat: Seat): readonly string[] {
  const fired = new Set<string | null>(Object.values(dialectOf(seat).events).map(({ ours }) => ours));
  return Object.keys(EVENTS).filter((name) => isOfAgents(name) && !fired.has(name));
}

function isOfAgents(name: string): boolean {
  return Object.entries(EVENTS).some(([event, { vocabulary }]) => event === name && vocabulary === "agent");
}
