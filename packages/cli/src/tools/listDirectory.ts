import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { defineTool } from "./defineTool.ts";
import { compileGlob, refuseUnusable } from "./globPattern.ts";
import { type Entry, listFolder } from "./walk.ts";

const MAX_ENTRIES = 1_000;

const schema = () =>
  z.object({
    dir_path: z.string().min(1).describe("The folder, absolute or relative to the workspace."),
    ignore: z.array(z.string().min(1)).max(50).optional().describe("Patterns of names to skip, such as `*.log`."),
    respect_git_ignore: z.boolean().optional().describe("Skip files that .gitignore excludes; default true."),
  });

export const listDirectory = defineTool({
  name: "list_directory",
  kind: "read",
  description: "Lists the names of the files and folders in one folder of the workspace, folders first.",
  schema,
  otherNames: { path: "dir_path" },
  check({ dir_path, ignore = [] }, { workspace }) {
    workspace.resolve(dir_path);
    ignore.forEach(refuseUnusable);
  },
  describe: ({ dir_path }, { workspace }) => ({
    type: "info",
    title: `List ${workspace.show(workspace.resolve(dir_path))}?`,
    dir_path: workspace.resolve(dir_path),
  }),
  async run({ dir_path, ignore = [], respect_git_ignore = true }, { workspace }) {
    const folder = workspace.resolve(dir_path);
    const shown = workspace.show(folder);
    const { entries, hidden } = await listFolder({ workspace, folder, respectGitIgnore: respect_git_ignore });
    const leftOut = ignore.map((pattern) => compileGlob(pattern, { caseSensitive: true }));
    const kept = entries.filter(({ name }) => !leftOut.some((matches) => matches(name)));
    const lines = [...kept.filter(isFolder), ...kept.filter((entry) => !isFolder(entry))].map(lineOf);
    const notes = [
      ...(lines.length > MAX_ENTRIES ? [`[${lines.length - MAX_ENTRIES} more are not shown]`] : []),
      ...(hidden > 0 ? [`[${hidden} ignored by git or by default are not shown]`] : []),
    ];
    const head = lines.length === 0 ? `${shown} has nothing to show.` : `${shown} contains:`;
    return {
      llmContent: [head, ...lines.slice(0, MAX_ENTRIES), ...notes].join("\n"),
      returnDisplay: `${counted(lines.length, "entry", "entries")} in ${shown}`,
    };
  },
});

const isFolder = ({ kind }: Entry) => kind === "folder";

function lineOf({ name, kind }: Entry): string {
  switch (kind) {
    case "folder":
      return `[DIR] ${name}`;
    case "link":
      return `${name} (link)`;
    case "other":
      return `${name} (neither file nor folder)`;
    case "file":
      return name;
  }
}
