import { type FSWatcher, readdirSync, realpathSync, statSync, watch } from "node:fs";
import { basename, dirname, join } from "node:path";

const QUIET_MS = 100;

/**
 * Calls back once things are quiet after any of these files or folders appeared, changed or went. It keeps no process alive
 * and never throws; what cannot be watched is not.
 */
export function watchSettings(paths: readonly string[], onChange: () => void): { close(): void } {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let seen = fingerprint(paths);

  // All watchers are renewed after every burst: one on a folder that was deleted, moved or replaced would stay silent for ever.
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

/** Names that matter in a folder; null: all of them. */
type Names = Set<string> | null;

/** For each path the nearest folder that exists, and where links lead; a path that is a folder is watched itself. */
function watchPoints(paths: readonly string[]): Map<string, Names> {
  const points = new Map<string, Names>();
  for (const path of paths.flatMap((path) => [path, target(path) ?? path])) {
    if (isFolder(path)) points.set(path, null);
    let [folder, child] = [dirname(path), path];
    while (!isFolder(folder) && folder !== dirname(folder)) [folder, child] = [dirname(folder), folder];
    const names = points.get(folder);
    // Its own name too: that is how a folder reports that it was deleted or moved.
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

/** What stands at the paths now; saving a file unchanged, or other files beside it, make no difference worth a reload. */
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
