import { lstatSync, mkdirSync, realpathSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { ProgramError } from "../errors.ts";
import type { NewFile } from "./newFile.ts";

/** The written files, and how to remove them. */
export interface Written {
  readonly files: readonly NewFile[];
  readonly undo: () => void;
}

/** Writes all of the files or none, and never overwrites one. */
export function writeFiles(projectRoot: string, files: readonly NewFile[]): Written {
  refuseExisting(projectRoot, files);
  const missing = files.filter(({ path }) => !exists(join(projectRoot, path)));
  for (const { path } of missing) refuseOutside(join(projectRoot, path), projectRoot);
  const made: Undo[] = [];
  const undo = () => {
    for (const step of made.splice(0).reverse()) attempt(step);
  };
  try {
    return { files: missing.filter((file) => writeNew(join(projectRoot, file.path), file, made)), undo };
  } catch (error) {
    undo();
    throw error;
  }
}

/** Returns whether it wrote the file: another process may have created a shared file. */
function writeNew(file: string, { text, executable, shared }: NewFile, made: Undo[]): boolean {
  const remove = () => rmSync(file, { force: true });
  try {
    makeFolder(dirname(file), made);
    writeFileSync(file, text, { flag: "wx", mode: executable ? 0o777 : 0o666 });
    made.push(remove);
    return true;
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    const isThere = cause.code === "EEXIST";
    if (isThere && shared) return false;
    // With a full disk, a part may have been written.
    if (!isThere) made.push(remove);
    const what = `The file cannot be written: ${cause.message}. Nothing was written.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, cause });
  }
}

type Undo = () => void;

/** Throws if one of the paths exists, whatever its type. */
export function refuseExisting(projectRoot: string, files: readonly NewFile[]): void {
  const paths = files.filter(({ shared }) => !shared).map(({ path }) => join(projectRoot, path));
  const [file, ...more] = paths.filter(exists);
  if (file === undefined) return;
  const others = more.length === 0 ? "" : `, and so ${more.length === 1 ? "does" : "do"} ${more.join(" and ")}`;
  const what = `The file already exists${others}; nothing was written.`;
  const next = `Choose another --id, or move ${more.length === 0 ? "that file" : "those files"} away.`;
  throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, next });
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause)) throw cause;
    if (cause.code === "ENOENT" || cause.code === "ENOTDIR") return false;
    const what = `Cannot check whether this file exists: ${cause.message}. Nothing was written.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file: path }, what, cause });
  }
}

function makeFolder(folder: string, made: Undo[]): void {
  if (exists(folder)) return;
  makeFolder(dirname(folder), made);
  // Another process may have created it since.
  if (mkdirSync(folder, { recursive: true }) !== undefined) made.push(() => rmdirSync(folder));
}

/** Keeps a folder that is no longer empty, and continues with the rest after a failure. */
function attempt(step: Undo): void {
  try {
    step();
  } catch {
    // Keep it.
  }
}

/** Refuses links out of the project: a repository could use one to redirect the write. */
function refuseOutside(file: string, projectRoot: string): void {
  const root = realpathSync(projectRoot);
  let folder = dirname(file);
  while (!exists(folder)) folder = dirname(folder);
  const real = realFolder(folder);
  if (real === root || real?.startsWith(root.endsWith(sep) ? root : root + sep)) return;
  const leads = real === undefined ? "leads nowhere" : `leads out of the project, to ${real}`;
  throw new ProgramError({
    code: "FILE_UNUSABLE",
    where: { file: folder },
    what: `This link ${leads}; nothing was written.`,
    next: "Put a folder in its place.",
  });
}

function realFolder(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch {
    return undefined;
  }
}
