import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

const QUIET_MS = 100;

/**
 * Calls back, after changes have settled, when any of these files or folders was created, changed or deleted. Keeps no process alive
 * and never throws; paths that cannot be watched are skipped.
 */
export function watchSettings(paths: readonly string[], onChange: () => void): { close(): void } {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let seen = fingerprint(paths);

  // Renew all watchers after every burst: a watcher on a folder that was deleted, moved or replaced stays silent for ever.
  const arm = () => {
    for (const watcher of watchers) watcher.close();
    watchers = [...watchPoints(paths)].flatMap(([folder, names]) => watchFolder(folder, names, later) ?? []);
  };
  const check = () => {
    timer = undefined;
    arm();
    const now = fingerprint(paths);
    if (now === seen) return;
    seen = now;
    onChange();
  };
  const later = () => {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(check, QUIET_MS).unref();
  };

  arm();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** Names of interest in a folder; null: all. */
type Names = Set<string> | null;

/** For each path the nearest existing folder, and the link targets; a folder is watched itself. */
function watchPoints(paths: readonly string[]): Map<string, Names> {
  const points = new Map<string, Names>();
  for (const path of paths.flatMap((path) => [path, target(path) ?? path])) {
    if (isFolder(path)) points.set(path, null);
    let [folder, child] = [dirname(path), path];
    while (!isFolder(folder) && folder !== dirname(folder)) [folder, child] = [dirname(folder), folder];
    const names = points.get(folder);
    // Include its own name: that is how a folder reports its deletion or move.
    if (names !== null) points.set(folder, new Set([...(names ?? []), basename(child), basename(folder)]));
  }
  return points;
}

function watchFolder(folder: string, names: Names, onEvent: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || names === null || names.has(name)) onEvent();
    });
    watcher.on("error", onEvent);
    return watcher;
  } catch {
    return undefined;
  }
}

/** The state of the paths: saving a file unchanged, or changing its neighbours, does not cause a reload. */
function fingerprint(paths: readonly string[]): string {
  return paths.flatMap((path) => [stamp(path), ...children(path).map((name) => stamp(join(path, name)))]).join("\n");
}

function stamp(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isDirectory() ? `${path} folder` : [path, stats.ino, stats.size, stats.mtimeMs].join(" ");
  } catch {
    return `${path} -`;
  }
}

function children(path: string): readonly string[] {
  try {
    return isFolder(path) ? readdirSync(path).sort() : [];
  } catch {
    return [];
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function target(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
