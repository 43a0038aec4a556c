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

/** A copy of a project that can be changed without changing the original. */
export interface ProjectCopy {
  /** Absolute, without links; has the same name as the project. */
  readonly root: string;
  /** Differences from the project, as sentences for the user. */
  readonly notices: readonly string[];
  /** Removes the copy; the program also removes it on exit. */
  dispose(): void;
}

export interface CopyOptions {
  /** Paths that hooks start, relative to the root: copied even if git ignores them. */
  readonly started?: readonly string[];
  readonly bounds?: Bounds;
  /** Advice if the project is too large. */
  readonly next?: string;
  readonly signal?: AbortSignal;
}

const AT_ONCE = 16;

/**
 * Copies the files that git tracks or would add (without git: all files) and the programs that hooks start; installed
 * packages are copied or linked. The copy always gets a project marker: without one it would belong to a project
 * declared in a parent folder, and anyone can write to the temporary folder.
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
    const noGit = git.kind === "leftOut" ? [`${git.why}; the copy is not a repository`] : [];
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

/** Returns notices about files that could not be copied. */
async function carryOut({ folders, files, links }: CopyPlan, { from, to, signal }: Way): Promise<readonly string[]> {
  for (const folder of folders) await mkdir(join(to, folder), { recursive: true });
  const missing: string[] = [];
  const left = files.values();
  const copyRest = async () => {
    for (const path of left) {
      if (signal?.aborted) throw new Interrupted();
      // Clone on write where the file system supports it.
      await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch((error: unknown) => {
        if (!isForbiddenOrGone(error)) throw error;
        missing.push(`${path} cannot be read; the copy does not have it`);
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
