import { type Dirent, lstatSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { replaceOwnFile } from "./openOwnFile.ts";
import { makeOwnFolder } from "./ownFolder.ts";
import { projectsPath, type StatePlace, statePath } from "./statePlace.ts";

const MOST_BYTES = 4 * 1024 ** 3;
const DAY_MS = 86_400_000;
const MARK = ".pruned";

/** Removable state: the journal of a project, or one of its transcripts. */
interface Prunable {
  readonly kind: "journal" | "transcript";
  readonly folder: string;
  readonly files: readonly string[];
  readonly bytes: number;
  readonly at: number;
}

interface Bounds {
  readonly now: number;
  readonly maxBytes?: number;
  /** Removes the journal in a state folder and records the removal. */
  readonly forgetJournal: (folder: string) => void;
}

/**
 * Once a day, if the state of all projects exceeds its limit, removes the journals and transcripts that have not been
 * written to for longest. Never removes those of this project, which has its own limits, files written within a day, or
 * tasks. Returns the removed paths.
 */
export function pruneProjects(
  place: StatePlace,
  { now, maxBytes = MOST_BYTES, forgetJournal }: Bounds,
): readonly string[] {
  const projects = makeOwnFolder(projectsPath(place));
  if (!isDue(join(projects, MARK), now)) return [];
  const folders = entriesIn(projects).filter((entry) => entry.isDirectory());
  const all = folders.flatMap(({ name }) => prunablesIn(join(projects, name)));
  let excess = all.reduce((sum, { bytes }) => sum + bytes, 0) - maxBytes;
  const others = all.filter(({ folder, at }) => folder !== statePath(place) && at < now - DAY_MS);
  const removed: string[] = [];
  for (const { kind, folder, files, bytes } of others.toSorted((a, b) => a.at - b.at)) {
    if (excess <= 0) break;
    if (kind === "journal") forgetJournal(folder);
    else for (const file of files) rmSync(file, { force: true });
    removed.push(...files.slice(0, 1));
    excess -= bytes;
  }
  return removed;
}

/** A timestamp in the future means a broken clock: treat it as due. */
function isDue(mark: string, now: number): boolean {
  const at = lstatSync(mark, { throwIfNoEntry: false })?.mtimeMs;
  if (at !== undefined && Math.abs(now - at) < DAY_MS) return false;
  replaceOwnFile(mark, "");
  utimesSync(mark, now / 1_000, now / 1_000);
  return true;
}

function prunablesIn(folder: string): readonly Prunable[] {
  const sessions = entriesIn(join(folder, "sessions")).map(({ name }) => ({
    kind: "transcript" as const,
    files: [join(folder, "sessions", name)],
  }));
  const journal = {
    kind: "journal" as const,
    files: ["", "-wal", "-shm"].map((end) => join(folder, `journal.db${end}`)),
  };
  return [journal, ...sessions].flatMap(({ kind, files }) => {
    const stats = files.flatMap((file) => lstatSync(file, { throwIfNoEntry: false }) ?? []);
    const bytes = stats.reduce((sum, { size }) => sum + size, 0);
    return bytes === 0 ? [] : [{ kind, folder, files, bytes, at: Math.max(...stats.map(({ mtimeMs }) => mtimeMs)) }];
  });
}

function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
