import type { LoadedSettings } from "@hookline/engine/program";
import { readSettings } from "../project/readSettings.ts";
import { Interrupted } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { withProgress } from "../terminal/progress.ts";
import { type FoundHost, findHost, isFound, isUntested } from "./findHosts.ts";
import { type InstallPlan, planInstall } from "./hostPlan.ts";
import { type Installed, readInstalled } from "./installed.ts";
import { isPlaced } from "./placeClient.ts";
import type { Places } from "./places.ts";
import { type ClientKind, type ProgramPlace, programPlace } from "./programPlace.ts";
import type { Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";
import { type Shortfall, shortfallsOf } from "./shortfalls.ts";
import { switchedOff } from "./switchedOff.ts";

export interface InstallRequest {
  readonly seats: readonly Seat[];
  readonly level: Level;
  readonly trustProject: boolean;
  /** Undefined: the native one, where there is one. */
  readonly client?: ClientKind | undefined;
  /** Leaves out agents that are not on this machine. */
  readonly onlyFound?: boolean;
}

/** Everything that a person must see before an installation. Nothing has been written. */
export interface Prepared {
  readonly loaded: LoadedSettings;
  readonly place: ProgramPlace;
  readonly installed: Installed;
  readonly hosts: readonly PreparedHost[];
  /** The client is where it must be, so that only the hosts' files are left to be written. */
  readonly hasClient: boolean;
}

export interface PreparedHost {
  readonly found: FoundHost;
  readonly plan: InstallPlan;
  readonly shortfalls: readonly Shortfall[];
  /** What is wrong or doubtful, and what a person must do. */
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

export async function prepareInstall(io: Io, request: InstallRequest): Promise<Prepared> {
  const { seats, level, trustProject, onlyFound = false } = request;
  const place = programPlace(io.homeDir, request.client);
  const loaded = await readSettings(io);
  const places = { ...io, projectRoot: loaded.projectRoot };
  const installed = readInstalled(io.homeDir);
  const found = await findHosts(io, seats, places);
  const hosts = found
    .filter((host) => !onlyFound || isFound(host))
    .map((host) => {
      const { seat, version } = host;
      const plan = planInstall({ seat, level, version, trustProject }, places, installed);
      const warnings = [
        ...versionWarnings(host),
        ...(version === undefined ? [] : seat.lacks(version)),
        ...switchedOff(seat, { level, path: plan.file.path, text: plan.after }, places),
      ];
      const notes = [...seat.notes(level), ...homeNotes(seat, level)];
      return { found: host, plan, shortfalls: shortfallsOf(dialectOf(seat), loaded.hooks), warnings, notes };
    });
  return { loaded, place, installed, hosts, hasClient: isPlaced(io.homeDir, place) };
}

/** The versions of agents may have to be asked for, which takes its time. */
export async function findHosts(io: Io, seats: readonly Seat[], places: Places): Promise<readonly FoundHost[]> {
  const work = Promise.all(seats.map((seat) => findHost(seat, places, io.signal)));
  const found = await withProgress(io, () => "looking for agents on this machine", work);
  if (io.signal.aborted) throw new Interrupted();
  return found;
}

/** Whether there is anything to write. */
export function changesAnything({ hosts, hasClient }: Prepared): boolean {
  return !hasClient || hosts.some(({ plan }) => plan.bytes !== undefined);
}

function homeNotes({ files }: Seat, level: Level): readonly string[] {
  const place = files[level];
  return place.in === "project" ? [`The hooks hold the path of your home folder: do not commit ${place.path}.`] : [];
}

function versionWarnings(host: FoundHost): readonly string[] {
  const { title, tested } = dialectOf(host.seat);
  if (host.program === undefined) return [`${title} was not found on PATH. The hooks wait for it.`];
  if (host.version === undefined) return [`The version of ${title} is not known. hookline was tested with ${tested}.`];
  return isUntested(host) ? [`${title} ${host.version} was not tested with hookline; ${tested} was.`] : [];
}
