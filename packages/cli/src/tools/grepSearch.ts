import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { defineTool } from "./defineTool.ts";
import { compileGlob, refuseUnusable } from "./globPattern.ts";
import { refuseInvalidExpression } from "./lineSearch.ts";
import { searchFiles } from "./searchFiles.ts";

const INCLUDE = { caseSensitive: true, byName: true };

const schema = () =>
  z.object({
    pattern: z.string().min(1).max(1_000).describe("A JavaScript regular expression, tested against each line."),
    dir_path: z.string().min(1).optional().describe("The folder to search; default: the workspace."),
    include: z.string().min(1).optional().describe("Search only files that match, such as `*.ts` or `src/**/*.md`."),
    case_sensitive: z.boolean().optional().describe("Whether case counts; default false."),
  });

export const grepSearch = defineTool({
  name: "grep_search",
  kind: "read",
  description:
    "Searches the text files of the workspace for a regular expression and returns the matching lines as `path:line: text`. Skips .git, node_modules and files that .gitignore excludes.",
  schema,
  otherNames: { path: "dir_path" },
  check({ pattern, dir_path = ".", include }, { workspace }) {
    workspace.resolve(dir_path);
    refuseInvalidExpression(pattern);
    if (include !== undefined) refuseUnusable(include);
  },
  describe: ({ pattern, dir_path = "." }, { workspace }) => ({
    type: "info",
    title: `Search ${workspace.show(workspace.resolve(dir_path))} for ${pattern}?`,
    pattern,
    dir_path: workspace.resolve(dir_path),
  }),
  async run({ pattern, dir_path = ".", include, case_sensitive = false }, context) {
    const folder = context.workspace.resolve(dir_path);
    const { lines, tooLarge, cut } = await searchFiles(
      {
        folder,
        pattern,
        caseSensitive: case_sensitive,
        isIncluded: include === undefined ? () => true : compileGlob(include, INCLUDE),
      },
      context,
    );
    const where = context.workspace.show(folder);
    const count = `${counted(lines.length, "line")} ${lines.length === 1 ? "matches" : "match"} ${pattern} in ${where}`;
    const head = lines.length === 0 ? `No line matches ${pattern} in ${where}.` : `${count}:`;
    const notes = [
      ...(tooLarge.length > 0 ? [`[Too large to search: ${tooLarge.slice(0, 10).join(", ")}]`] : []),
      ...(cut === undefined ? [] : [`[The search was cut short: ${cut}]`]),
    ];
    return { llmContent: [head, ...lines, ...notes].join("\n"), returnDisplay: [count, ...notes].join("\n") };
  },
});
