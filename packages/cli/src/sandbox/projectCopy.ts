import { constants } from "node:fs";
import { copyFile, mkdir, mkdtemp, realpath, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Interrupted } from "../terminal/exitCode.ts";
import { BOUNDS, type Bounds } from "./bounds.ts";
import { copyGitFolder } from "./gitFolder.ts";
import { planCopy } from "./planCopy.ts";
import { removal } from "./removal.ts";
import type { CopyPlan } from "./survey.ts";

/** A project that can be written to without harm to the real one. */
export interface ProjectCopy {
  /** Absolute and without links; named like the project. */
  readonly root: string;
  /** What is not as in the project, in sentences for a person. */
  readonly notices: readonly string[];
  /** Removes it; at the latest that happens when the program ends. */
  dispose(): void;
}

export interface CopyOptions {
  /** What hooks start, by path from the root: it is needed, though git ignores it. */
  readonly started?: readonly string[];
  readonly bounds?: Bounds;
  /** What a person can do where the project is too large. */
  readonly next?: string;
  readonly signal?: AbortSignal;
}

const AT_ONCE = 16;

/**
 * Copies what git has or would add (without git: everything) with what hooks start, and links installed packages. The copy is
 * always recognised as a project of its own: one without a mark would be taken for a part of whatever is declared further out, in
 * a folder that anybody can write to.
 */
export async function copyProject(root: string, options: CopyOptions = {}): Promise<ProjectCopy> {
  const { started = [], bounds = BOUNDS, next, signal } = options;
  const from = await realpath(root);
  const plan = await planCopy(from, { started, bounds, next, signal });
  const temporary = await realpath(await mkdtemp(join(tmpdir(), "hookline-copy-")));
  const dispose = removal(temporary);
  try {
    const to = join(temporary, basename(from) || "project");
    await mkdir(join(to, ".hookline"), { recursive: true });
    const missing = await carryOut(plan, { from, to, signal });
    const git = copyGitFolder(from, to, bounds);
    const noGit = git.kind === "leftOut" ? [`${git.why}; the copy is no repository`] : [];
    return { root: to, notices: [...plan.notices, ...missing, ...noGit], dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

interface Way {
  readonly from: string;
  readonly to: string;
  readonly signal: AbortSignal | undefined;
}

/** Returns what could not be copied after all. */
async function carryOut({ folders, files, links }: CopyPlan, { from, to, signal }: Way): Promise<readonly string[]> {
  for (const folder of folders) await mkdir(join(to, folder), { recursive: true });
  const missing: string[] = [];
  const left = files.values();
  const copyRest = async () => {
    for (const path of left) {
      if (signal?.aborted) throw new Interrupted();
      // Where the file system can, both share their blocks until one is written to.
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch((error: unknown) => {
        if (!isForbiddenOrGone(error)) throw error;
        missing.push(`${path} cannot be read; the copy is without it`);
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, copyRest));
  for (const { path, to: target } of links) {
    if (signal?.aborted) throw new Interrupted();
    await symlink(target, join(to, path));
  }
  return missing;
}

function isForbiddenOrGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "EACCES" || error.code === "ENOENT");
}
