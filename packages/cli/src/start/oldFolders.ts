import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";

/** Each combination of a build and a Node version has a folder. */
const KEPT_FOLDERS = 6;

/** Removes all but the newest folders. A program that still uses an older one creates it again. */
export function removeOldFolders(parent: string): void {
  const byAge = readdirSync(parent)
    .map((name) => join(parent, name))
    .map((path) => ({ path, mtimeMs: statSync(path).mtimeMs }))
    .sort((one, other) => other.mtimeMs - one.mtimeMs);
  for (const { path } of byAge.slice(KEPT_FOLDERS)) rmSync(path, { recursive: true, force: true });
}
