import { isAbsolute, join } from "node:path";
import { HooklineError } from "@hookline/engine";
import type { Io } from "../terminal/io.ts";
import { type HostTraces, LEVELS, type Level, type Seat, type SettingsPlace } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";

/** What the path of a host's file depends on. */
export interface Places extends Pick<Io, "homeDir" | "env" | "rootDir"> {
  readonly projectRoot: string;
}

/** Where a host reads its settings at a level. Throws if hookline cannot install there. */
export function settingsPath(seat: Seat, level: Level, places: Places): string {
  const place = seat.files[level];
  switch (place.in) {
    case "folder":
      return join(hostFolder(seat.found, places), place.path);
    case "project":
      return join(places.projectRoot, place.path);
    case "system": {
      const path = place.paths[process.platform];
      if (path !== undefined) return join(places.rootDir ?? "/", path);
      throw notThere(
        `where ${dialectOf(seat).title} reads managed settings on ${process.platform} is not known`,
        "Install it for the user.",
      );
    }
    case "nowhere":
      throw notThere(place.why, place.next);
  }
}

/** Every place that a host reads and hookline may have written. */
export function settingsPaths(seat: Seat, places: Places): readonly { readonly level: Level; readonly path: string }[] {
  return LEVELS.filter((level) => isPlace(seat.files[level])).map((level) => ({
    level,
    path: settingsPath(seat, level, places),
  }));
}

/** Every file whose settings a host obeys in a project. */
export function readPaths(seat: Seat, places: Places): ReturnType<typeof settingsPaths> {
  const others = seat.alsoReads.map(({ path }) => ({
    level: "project" as const,
    path: join(places.projectRoot, path),
  }));
  return [...settingsPaths(seat, places), ...others];
}

function isPlace(place: SettingsPlace): boolean {
  return place.in === "system" ? place.paths[process.platform] !== undefined : place.in !== "nowhere";
}

export function hostFolder(
  { folder, folderVariable }: HostTraces,
  { homeDir, env }: Pick<Places, "homeDir" | "env">,
): string {
  const given = folderVariable === null ? undefined : env[folderVariable];
  return given !== undefined && isAbsolute(given) ? given : join(homeDir, folder);
}

function notThere(why: string, next: string): HooklineError {
  return new HooklineError({ code: "OPTION_INVALID", what: `hookline cannot be installed there: ${why}.`, next });
}
