import { join } from "node:path";
import { EVENTS } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import type { Io } from "../terminal/io.ts";
import { clientFiles } from "./clientFiles.ts";
import type { FoundHost } from "./findHosts.ts";
import { findMods } from "./findMods.ts";
import { hostText } from "./hostFile.ts";
import { readInstalled } from "./installed.ts";
import { type PlaceFault, placeFaults } from "./placeFaults.ts";
import { hostFolder, type Places } from "./places.ts";
import { findHosts } from "./prepare.ts";
import type { Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

/** What is known of one host, on this machine and in general. */
export interface HostReport {
  readonly found: FoundHost;
  readonly installed: readonly InstalledPlace[];
  /** Plugins whose code can override the answers of hooks. */
  readonly mods: readonly string[];
  /** Events of agents that this host never fires. */
  readonly never: readonly string[];
}

export interface InstalledPlace {
  readonly level: Level;
  readonly path: string;
  /** False: the hooks of hookline were taken out of the file. */
  readonly isThere: boolean;
  /** Hooks of every project run without trust. */
  readonly trustsProject: boolean;
  /** Empty: it guards as it was installed to. */
  readonly faults: readonly PlaceFault[];
}

export async function hostReports(
  io: Io,
  seats: readonly Seat[],
  { projectRoot }: Pick<LoadedSettings, "projectRoot">,
): Promise<readonly HostReport[]> {
  const places = { ...io, projectRoot };
  const { hosts } = readInstalled(io.homeDir);
  const found = await findHosts(io, seats, places);
  return found.map((host) => {
    const { seat, version } = host;
    const entries = hosts.filter((entry) => entry.host === seat.name);
    const installed = entries.map(({ level, path }) => ({
      level,
      path,
      isThere: namesClient(path, io.homeDir),
      trustsProject: hostText(path)?.includes("--trust-project") ?? false,
      faults: placeFaults({ seat, level, path, version }, places),
    }));
    return { found: host, installed, mods: modsOf(seat, installed, places), never: neverFired(seat) };
  });
}

export type GuardState = "guarded" | "partly guarded" | "not guarded";

/** One file without a fault is enough. */
export function guardState({ installed }: Pick<HostReport, "installed">): GuardState {
  if (installed.some(({ faults }) => faults.length === 0)) return "guarded";
  return installed.some(({ faults }) => !faults.some(({ isTotal }) => isTotal)) ? "partly guarded" : "not guarded";
}

/** Whether a file of a host holds hooks of ours. */
export function namesClient(path: string, homeDir: string): boolean {
  return hostText(path)?.includes(clientFiles(homeDir).program) ?? false;
}

/** Managed hooks cannot be overridden. */
function modsOf(seat: Seat, installed: readonly InstalledPlace[], places: Places): readonly string[] {
  const isConcerned = installed.some(({ level }) => level !== "managed");
  if (seat.modFolder === null || !isConcerned) return [];
  return findMods(join(hostFolder(seat.found, places), seat.modFolder));
}

function neverFired(seat: Seat): readonly string[] {
  const fired = new Set<string | null>(Object.values(dialectOf(seat).events).map(({ ours }) => ours));
  return Object.keys(EVENTS).filter((name) => isOfAgents(name) && !fired.has(name));
}

function isOfAgents(name: string): boolean {
  return Object.entries(EVENTS).some(([event, { vocabulary }]) => event === name && vocabulary === "agent");
}
