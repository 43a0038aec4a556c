import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import { applyReplacement } from "./applyReplacement.ts";
import { defineTool } from "./defineTool.ts";
import { SeenFiles } from "./seenFiles.ts";
import { textIn } from "./textFile.ts";
import type { ToolContext } from "./tool.ts";
import { ToolFault } from "./toolFault.ts";
import { writeAtomically } from "./writeAtomically.ts";

const schema = () =>
  z.object({
    file_path: z.string().min(1).describe("The file, absolute or relative to the workspace."),
    old_string: z
      .string()
      .describe(
        "The text to replace, exactly as it is in the file, with lines around it so that it occurs once. Empty: create the file.",
      ),
    new_string: z.string().describe("The replacement text."),
    expected_replacements: z
      .int()
      .min(1)
      .max(1e6)
      .optional()
      .describe("How often the text occurs; default 1. All are replaced."),
    allow_multiple: z.boolean().optional().describe("Replace every occurrence, however many there are."),
    instruction: z.string().optional().describe("The purpose of the change, in a sentence."),
  });

type Input = z.output<ReturnType<typeof schema>>;

export const replace = defineTool({
  name: "replace",
  kind: "edit",
  description:
    "Replaces text in a file of the workspace. `old_string` must occur exactly once, unless `expected_replacements` or `allow_multiple` says otherwise. Read the file first.",
  schema,
  otherNames: { absolute_path: "file_path" },
  // Checks against the file's content: the model must correct an impossible edit before a person is asked to approve it.
  async check(input, context) {
    await plan(input, context);
  },
  writes: ({ file_path }, { workspace }) => [workspace.resolve(file_path)],
  async describe(input, context) {
    const { path, shown, before, after, state } = await plan(input, context);
    const diff = await unifiedDiff(shown, before, after);
    const title = `${input.old_string === "" ? "Create" : "Edit"} ${shown}?`;
    const originalContent = state === undefined ? null : before;
    return { type: "edit", title, file_path: path, diff, originalContent, newContent: after };
  },
  async run(input, context) {
    const { path, shown, before, after, state, count } = await plan(input, context);
    context.signal?.throwIfAborted();
    await writeAtomically({ workspace: context.workspace, path, content: after, expected: state });
    return {
      llmContent: state ? `Replaced ${counted(count, "occurrence")} in ${shown}.` : `Created ${shown}.`,
      returnDisplay: await unifiedDiff(shown, before, after),
    };
  },
});

async function plan({ file_path, old_string, new_string, ...counts }: Input, context: ToolContext) {
  const { workspace, seen = new SeenFiles() } = context;
  const path = workspace.resolve(file_path);
  const shown = workspace.show(path);
  const file = await seen.look(workspace, path);
  if (old_string === "") {
    if (file.state) {
      throw new ToolFault(
        `${shown} exists; an empty \`old_string\` only creates new files. Say which text to replace.`,
      );
    }
    return { path, shown, before: "", after: new_string, state: undefined, count: 0 };
  }
  const before = textIn(file, shown);
  const expected = counts.allow_multiple ? "any" : (counts.expected_replacements ?? 1);
  const { text: after, count } = applyReplacement(
    before,
    { oldText: old_string, newText: new_string, expected },
    shown,
  );
  return { path, shown, before, after, state: file.state, count };
}
