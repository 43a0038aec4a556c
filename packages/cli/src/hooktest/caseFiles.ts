import { lstatSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { errorText } from "@hookline/engine/program";

const LARGEST_BYTES = 5 * 1024 * 1024;

/** Writes a file below a root. Returns why it cannot be written; a link is refused, because it could lead anywhere. */
export function writeCaseFile(root: string, path: string, text: string): string | undefined {
  try {
    const file = join(root, path);
    makeFolder(root, dirname(file));
    const existing = lstatSync(file, { throwIfNoEntry: false });
    if (existing?.isSymbolicLink()) return "is a link";
    if (existing && !existing.isFile()) return "is not a regular file";
    writeFileSync(file, text);
    return undefined;
  } catch (error) {
    return `cannot be written: ${errorText(error)}`;
  }
}

/** Reads a file below a root; undefined if it does not exist. Throws if it cannot be read. */
export function readCaseFile(root: string, path: string): string | undefined {
  const file = join(root, path);
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  if (!realpathSync(file).startsWith(root + sep)) throw new Error("is a link that leads out of the project");
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error("is not a regular file");
  if (stats.size > LARGEST_BYTES) throw new Error("is larger than 5 MiB");
  return readFileSync(file, "utf8");
}

function makeFolder(root: string, folder: string): void {
  if (folder === root) return;
  makeFolder(root, dirname(folder));
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) mkdirSync(folder);
  else if (!stats.isDirectory()) throw new Error(`${folder.slice(root.length + 1)} is not a folder`);
}
