import { lstat } from "node:fs/promises";
import { relative } from "node:path";
import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { defineTool } from "./defineTool.ts";
import { compileGlob, refuseUnusable } from "./globPattern.ts";
import { MAX_WALKED, walk } from "./walk.ts";

const MAX_FOUND = 1_000;

const schema = () =>
  z.object({
    pattern: z.string().min(1).describe("Such as `src/**/*.ts` or `*.md`, relative to `dir_path`."),
    dir_path: z.string().min(1).optional().describe("The folder to search; default: the workspace."),
    case_sensitive: z.boolean().optional().describe("Whether case counts; default false."),
    respect_git_ignore: z.boolean().optional().describe("Skip files that .gitignore excludes; default true."),
  });

export const glob = defineTool({
  name: "glob",
  kind: "read",
  description: `Finds files whose path matches a pattern, most recently changed first; at most ${MAX_FOUND}. Skips .git and node_modules.`,
  schema,
  otherNames: { path: "dir_path" },
  check({ pattern, dir_path = "." }, { workspace }) {
    workspace.resolve(dir_path);
    refuseUnusable(pattern);
  },
  describe: ({ pattern, dir_path = "." }, { workspace }) => ({
    type: "info",
    title: `Look for files ${pattern} in ${workspace.show(workspace.resolve(dir_path))}?`,
    pattern,
    dir_path: workspace.resolve(dir_path),
  }),
  async run({ pattern, dir_path = ".", case_sensitive = false, respect_git_ignore = true }, { workspace, signal }) {
    const folder = workspace.resolve(dir_path);
    const matches = compileGlob(pattern, { caseSensitive: case_sensitive });
    const found: Found[] = [];
    let walked = 0;
    for await (const { path } of walk({ workspace, folder, respectGitIgnore: respect_git_ignore, signal })) {
      if (++walked > MAX_WALKED) break;
      if (matches(relative(folder, path))) found.push({ path: workspace.show(path), changedMs: await changedMs(path) });
    }
    const paths = found.sort(newestFirst).map(({ path }) => path);
    const where = workspace.show(folder);
    const notes = [
      ...(paths.length > MAX_FOUND ? [`[${paths.length - MAX_FOUND} more are not shown; use a narrower pattern]`] : []),
      ...(walked > MAX_WALKED ? [`[only the first ${MAX_WALKED} files were searched; name a folder in dir_path]`] : []),
    ];
    const count = `${counted(paths.length, "file")} ${paths.length === 1 ? "matches" : "match"} ${pattern} in ${where}`;
    const head = paths.length === 0 ? `No file matches ${pattern} in ${where}.` : `${count}, newest first:`;
    return { llmContent: [head, ...paths.slice(0, MAX_FOUND), ...notes].join("\n"), returnDisplay: count };
  },
});

interface Found {
  readonly path: string;
  readonly changedMs: number;
}

function newestFirst(a: Found, b: Found): number {
  return b.changedMs - a.changedMs || (a.path < b.path ? -1 : 1);
}

/** A file that no longer exists counts as the oldest. */
async function changedMs(path: string): Promise<number> {
  return lstat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
