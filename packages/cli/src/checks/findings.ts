import { realpath, stat } from "node:fs/promises";
import { basename, dirname, join, parse, resolve, sep } from "node:path";
import { HooklineError, SettingsConfig } from "@hookline/engine";
import { declaredOf, type LoadedSettings, type Problem } from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import type { ProgramKind } from "../declarations/programKind.ts";
import { readSettings } from "../project/readSettings.ts";
import type { Io } from "../terminal/io.ts";
import { workerNote } from "./coldWorkers.ts";
import { checkHooks } from "./index.ts";

export interface Findings {
  readonly problems: readonly Problem[];
  /** The files that were read. */
  readonly files: readonly string[];
  readonly hooks: number;
  /** Counts of other declarations, by the key of their kind. */
  readonly others: Readonly<Record<string, number>>;
  /** Notes that are not problems. */
  readonly notes: readonly string[];
}

/** Checks only these files and folders. */
export async function findingsIn(paths: readonly string[], io: Io): Promise<Findings> {
  const all = await Promise.all(paths.map((path) => findingsAt(resolve(io.cwd, path), io)));
  return {
    problems: all.flatMap(({ problems }) => problems),
    files: [...new Set(all.flatMap(({ files }) => files))],
    hooks: all.reduce((sum, { hooks }) => sum + hooks, 0),
    others: countOthers((key) => all.reduce((sum, { others }) => sum + (others[key] ?? 0), 0)),
    notes: [...new Set(all.flatMap(({ notes }) => notes))],
  };
}

async function findingsAt(path: string, io: Io): Promise<Findings> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw unreadable(path, "There is no such file or folder.", "Correct the path.");
  if (stats.isDirectory()) {
    const folder = await realpath(path);
    const inFolder = (file: string) => file === folder || file.startsWith(folder + sep);
    return only(await readSettings(io, folder), inFolder);
  }
  // Resolve the folder but not the file: a settings file that is a link keeps its role.
  const file = join(await realpath(dirname(path)), basename(path));
  // Every project reads the user's and the system's files; a project's file is read from its root only.
  const folders = [io.cwd, dirname(dirname(file)), dirname(dirname(dirname(file)))];
  for (const folder of folders) {
    const loaded = await readFrom(folder, io);
    if (loaded?.layers.some((layer) => layer.file === file)) return only(loaded, (other) => other === file);
  }
  if (/\.ya?ml$/.test(file)) {
    const what =
      "No project reads this file: YAML hooks belong in .system/hooks of a project, abilities in .system/abilities.";
    throw unreadable(file, what, "Move it there, or validate the project's folder.");
  }
  return only(await readAlone(file), (other) => other === file);
}

/** Undefined for a folder that contains the home folder and so cannot be a project. */
async function readFrom(folder: string, io: Io): Promise<LoadedSettings | undefined> {
  return readSettings(io, folder).catch((error: unknown) => {
    if (error instanceof HooklineError && error.code === "HOME_UNSAFE") return undefined;
    throw error;
  });
}

/** Reads a settings file outside of all layers, without home and project; commands are looked up beside it. */
function readAlone(file: string): Promise<LoadedSettings> {
  const nowhere = { workingDir: parse(file).root, homeDir: file };
  return new SettingsConfig({
    ...nowhere,
    systemFile: file,
    extensions: [],
    declares: DECLARATION_KINDS,
  }).loadSettings();
}

async function only(loaded: LoadedSettings, isAsked: (file: string) => boolean): Promise<Findings> {
  const hooks = loaded.hooks.filter(({ place }) => isAsked(place.file));
  const found = [...loaded.problems, ...(await checkHooks({ ...loaded, hooks }))];
  return {
    problems: found.filter(({ where }) => isAsked(where.file)),
    files: loaded.layers.filter(({ file, state }) => state !== "absent" && isAsked(file)).map(({ file }) => file),
    hooks: hooks.length,
    others: othersIn(loaded.others.filter(({ place }) => isAsked(place.file))),
    notes: workerNote(hooks),
  };
}

/** Counts the declarations of each kind. */
export function othersIn(others: LoadedSettings["others"]): Findings["others"] {
  return countOthers((_, kind) => declaredOf(kind, others).length);
}

function countOthers(count: (key: string, kind: ProgramKind) => number): Findings["others"] {
  return Object.fromEntries(DECLARATION_KINDS.map((kind) => [kind.jsonKey, count(kind.jsonKey, kind)]));
}

function unreadable(file: string, what: string, next: string): HooklineError {
  return new HooklineError({ code: "CONFIG_UNREADABLE", where: { file }, what, next });
}
