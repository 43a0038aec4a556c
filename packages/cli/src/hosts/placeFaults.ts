import { isDeepStrictEqual } from "node:util";
import { HooklineError } from "@hookline/engine";
import { enumerated } from "@hookline/engine/program";
import { clientFiles } from "./clientFiles.ts";
import { type EntryOptions, ownGroups } from "./hookEntries.ts";
import { hostText } from "./hostFile.ts";
import type { Places } from "./places.ts";
import { refusedFile } from "./refusedFile.ts";
import type { Level, Seat } from "./seat.ts";
import { dialectOf } from "./seatNamed.ts";
import { switchedOff } from "./switchedOff.ts";
import { callsClient, wantedGroups } from "./wantedGroups.ts";

/** Why a file of a host guards less than `install` promised. */
export interface PlaceFault {
  readonly what: string;
  /** What to do about it. */
  readonly next: string;
  /** None of its hooks runs. */
  readonly isTotal: boolean;
}

export interface GuardedPlace {
  readonly seat: Seat;
  readonly level: Level;
  readonly path: string;
  readonly version: string | undefined;
}

/** Compares a file with what `install` would write now, and looks for what keeps the host from running it. */
export function placeFaults(place: GuardedPlace, places: Places): readonly PlaceFault[] {
  const { seat, level, path } = place;
  const { program } = clientFiles(places.homeDir);
  const text = hostText(path) ?? "";
  try {
    const own = text.trim() === "" ? new Map() : ownGroups(text, optionsFor(path, program));
    if (own.size === 0) return [{ ...gone(place), isTotal: true }];
    const refused = refusedFile(seat, text, path);
    const refusal = refused === undefined ? [] : [{ what: refused, next: "Remove that from the file." }];
    const switches = switchedOff(seat, { level, path, text }, places);
    const off = switches.map((what) => ({ what, next: "Remove that from the file." }));
    return [...[...refusal, ...off].map((fault) => ({ ...fault, isTotal: true })), ...entryFaults(place, own, program)];
  } catch (error) {
    if (!(error instanceof HooklineError || error instanceof RangeError)) throw error; // a RangeError: nested too deeply
    const what = `${dialectOf(seat).title} cannot read this file: it is not what it expects.`;
    return [{ what, next: `Fix it, then run \`${installCommand(place)}\`.`, isTotal: true }];
  }
}

function optionsFor(file: string, program: string): EntryOptions {
  return { file, isOurs: (hook) => callsClient(hook, program) };
}

function gone(place: GuardedPlace): Omit<PlaceFault, "isTotal"> {
  const what = `The hooks of hookline are gone, so ${dialectOf(place.seat).title} is not guarded.`;
  return { what, next: `Run \`${installCommand(place)}\`.` };
}

function entryFaults(
  place: GuardedPlace,
  own: ReadonlyMap<string, readonly unknown[]>,
  client: string,
): readonly PlaceFault[] {
  const { seat, version } = place;
  const trustProject = JSON.stringify([...own.values()]).includes("--trust-project");
  const wanted = [...wantedGroups(seat, { client, trustProject, version })];
  const missing = wanted.filter(([event]) => !own.has(event));
  const changed = wanted.filter(([event, group]) => {
    const groups = own.get(event);
    return groups !== undefined && !groups.some((one) => isDeepStrictEqual(one, group));
  });
  const next = `Run \`${installCommand(place)}${trustProject ? " --trust-project" : ""}\`.`;
  const about = (events: typeof wanted, what: string): readonly PlaceFault[] =>
    events.length === 0
      ? []
      : [{ what: `${what} ${enumerated(events.map(([event]) => event))}.`, next, isTotal: false }];
  return [
    ...about(missing, "The hook of hookline is missing for"),
    ...about(changed, "The hook of hookline is not as `install` writes it for"),
  ];
}

function installCommand({ seat, level }: GuardedPlace): string {
  return `hookline install ${seat.name}${level === "user" ? "" : ` --${level}`}`;
}
