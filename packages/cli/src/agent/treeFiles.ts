import { join, relative } from "node:path";
import { walk } from "../tools/walk.ts";
import { Workspace } from "../tools/workspace.ts";

export const MOST_FILES = 20_000;

/**
 * Absolute paths of every file and link below a folder, without ignored ones: the files that git tracks or would add. Undefined if
 * there are too many, if they cannot be listed, or after the signal.
 */
export async function treeFiles(root: string, signal: AbortSignal): Promise<readonly string[] | undefined> {
  const found: string[] = [];
  try {
    const workspace = new Workspace(root);
    for await (const { path } of walk({ workspace, folder: workspace.root, respectGitIgnore: true, signal })) {
      if (found.length === MOST_FILES) return undefined;
      found.push(join(root, relative(workspace.root, path)));
    }
    return found;
  } catch {
    return undefined;
  }
}
