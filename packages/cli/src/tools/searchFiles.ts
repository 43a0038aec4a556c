import { relative } from "node:path";
import type { PathMatcher } from "./globPattern.ts";
import { LineSearch } from "./lineSearch.ts";
import { FileTooLarge, readRegularFile } from "./openRegularFile.ts";
import { isBinary } from "./textFile.ts";
import type { ToolContext } from "./tool.ts";
import { errorCode, ToolFault } from "./toolFault.ts";
import { MAX_WALKED, walk } from "./walk.ts";
import type { Workspace } from "./workspace.ts";

const MAX_MATCHES = 500;
const MAX_CHARS = 64 * 1024;
const MAX_FILE_BYTES = 5 * 1024 * 1024;
const FILE_LIMIT_MS = 10_000;
const SEARCH_LIMIT_MS = 60_000;

interface Search {
  /** A real path. */
  readonly folder: string;
  readonly pattern: string;
  readonly caseSensitive: boolean;
  /** Tests a path relative to the folder. */
  readonly isIncluded: PathMatcher;
}

interface Found {
  /** In the form `path:line: text`. */
  readonly lines: readonly string[];
  readonly tooLarge: readonly string[];
  /** Why the search stopped early; undefined if it is complete. */
  readonly cut: string | undefined;
}

/** Finds the lines below a folder that match an expression, in the order of the files. Stops at the time limit, whatever the expression. */
export async function searchFiles(search: Search, { workspace, signal }: ToolContext): Promise<Found> {
  const { folder, isIncluded } = search;
  const lines: string[] = [];
  const tooLarge: string[] = [];
  const ended = (cut?: string): Found => ({ lines, tooLarge, cut });
  const lineSearch = new LineSearch({ ...search, limitMs: FILE_LIMIT_MS, signal });
  const deadline = performance.now() + SEARCH_LIMIT_MS;
  let walked = 0;
  let chars = 0;
  try {
    for await (const { path, kind } of walk({ workspace, folder, respectGitIgnore: true, signal })) {
      if (++walked > MAX_WALKED) return ended(`only the first ${MAX_WALKED} files were searched.`);
      if (performance.now() > deadline) return ended(`it took more than ${SEARCH_LIMIT_MS / 1_000} seconds.`);
      if (kind !== "file" || !isIncluded(relative(folder, path))) continue;
      const shown = workspace.show(path);
      const text = await readSearchable(workspace, path);
      if (text instanceof FileTooLarge) tooLarge.push(shown);
      if (typeof text !== "string") continue;
      const matches = await lineSearch.search(text, MAX_MATCHES - lines.length + 1);
      if (matches === "tooSlow") return ended(`the expression takes too long on ${shown}; use a simpler one.`);
      for (const { line, text } of matches) {
        if (lines.length >= MAX_MATCHES || chars > MAX_CHARS) return ended("there are more matches.");
        lines.push(`${shown}:${line}: ${text}`);
        chars += shown.length + text.length;
      }
    }
    return ended();
  } finally {
    await lineSearch.close();
  }
}

/** Undefined for files that are binary, unreadable or no longer there. */
async function readSearchable(workspace: Workspace, path: string): Promise<string | FileTooLarge | undefined> {
  try {
    const { bytes } = await readRegularFile(workspace, path, { maxBytes: MAX_FILE_BYTES, advice: "" });
    return isBinary(bytes) ? undefined : bytes.toString("utf8");
  } catch (error) {
    if (error instanceof FileTooLarge) return error;
    if (error instanceof ToolFault || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}
