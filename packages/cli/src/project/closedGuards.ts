import { existsSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HookSystem } from "@hookline/engine";
import type { HookDeclaration, LoadedSettings } from "@hookline/engine/program";
import { replaceOwnFile } from "@hookline/journal/program";
import { type ClosedEntry, closedText, readClosed } from "./closedFile.ts";

/** The folder of user and system hooks in the file. */
const EVERYWHERE = "/";

interface Seen {
  readonly homeDir: string;
  readonly loaded: LoadedSettings;
  /** With trust looked up; undefined: only what the user and the system declare is known to run. */
  readonly system?: HookSystem;
}

/**
 * Keeps `run/closed` true wherever settings are read: a guard counts for the native client from then on, even if no daemon runs. Settings that
 * cannot be read change nothing.
 */
export function keepClosed({ homeDir, loaded, system }: Seen): void {
  const file = join(homeDir, ".hookline", "run", "closed");
  // Without the file, the client refuses everything anyway.
  if (loaded.unread.length > 0 || !existsSync(file)) return;
  const root = loaded.projectRoot;
  const declared = system ? declaredIn(system) : loaded.hooks.filter(({ source }) => source !== "project");
  try {
    writeClosed(file, system ? [EVERYWHERE, root] : [EVERYWHERE], closedEntries(declared, root));
  } catch {
    // The daemon says so.
  }
}

/** Replaces the lines of these folders. Throws if the file cannot be written. */
export function writeClosed(file: string, folders: readonly string[], entries: readonly ClosedEntry[]): void {
  const before = textOf(file);
  const known = readClosed(before ?? "") ?? [];
  const others = known.filter(({ folder }) => !folders.includes(folder) && isFolder(folder));
  const text = closedText([...others, ...entries]);
  if (text !== before) replaceOwnFile(file, text);
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // not there yet: without it, the client refuses everything
  }
}

export function declaredIn(system: HookSystem): readonly HookDeclaration[] {
  return system
    .getRegistry()
    .getAllHooks()
    .map(({ config }) => config);
}

/** Hooks that fail closed, also those that cannot run because their declaration is wrong. */
export function closedEntries(declared: readonly HookDeclaration[], root: string): readonly ClosedEntry[] {
  return declared
    .filter(({ onError, mode, off }) => onError === "block" && mode === "enforce" && (!off || off.kind === "broken"))
    .map(({ eventName, source }) => ({ event: eventName, folder: source === "project" ? root : EVERYWHERE }));
}

/** Projects come and go; the file would only grow. */
function isFolder(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    return true; // no access: it may be there
  }
}
