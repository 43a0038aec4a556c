import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { unifiedDiff } from "../terminal/unifiedDiff.ts";
import { defineTool } from "./defineTool.ts";
import { SeenFiles } from "./seenFiles.ts";
import { decodeExactly, isBinary } from "./textFile.ts";
import type { ToolContext } from "./tool.ts";
import { writeAtomically } from "./writeAtomically.ts";

const schema = () =>
  z.object({
    file_path: z
      .string()
      .min(1)
      .describe("The file, absolute or relative to the workspace. Missing folders are created."),
    content: z.string().describe("The complete new content of the file."),
  });

export const writeFile = defineTool({
  name: "write_file",
  kind: "edit",
  description:
    "Writes a text file of the workspace and discards its previous content; to change a part of a file, use replace.",
  schema,
  otherNames: { absolute_path: "file_path" },
  async check({ file_path, content }, context) {
    await plan(file_path, content, context);
  },
  writes: ({ file_path }, { workspace }) => [workspace.resolve(file_path)],
  async describe({ file_path, content }, context) {
    const { path, shown, state, text, diff } = await plan(file_path, content, context);
    const contents = { originalContent: text ?? null, newContent: content };
    const title = `${state ? "Overwrite" : "Create"} ${shown}?`;
    return { type: "edit", title, file_path: path, diff: await diff(), ...contents };
  },
  async run({ file_path, content }, context) {
    const { path, shown, state, diff } = await plan(file_path, content, context);
    context.signal?.throwIfAborted();
    await writeAtomically({ workspace: context.workspace, path, content, expected: state });
    const size = counted(Buffer.byteLength(content), "byte");
    const done = state ? "Overwrote" : "Created";
    return { llmContent: `${done} ${shown} (${size}).`, returnDisplay: await diff() };
  },
});

async function plan(file_path: string, content: string, { workspace, seen = new SeenFiles() }: ToolContext) {
  const path = workspace.resolve(file_path);
  const shown = workspace.show(path);
  const { state, bytes } = await seen.look(workspace, path);
  const text = bytes === undefined || isBinary(bytes) ? undefined : decodeExactly(bytes);
  const diff = async () => {
    if (!state || text !== undefined) return unifiedDiff(shown, text ?? "", content);
    return bytes
      ? `[${shown} is not a text file; its ${counted(bytes.length, "byte")} are overwritten]`
      : `[${state.size} bytes of ${shown} are overwritten]`;
  };
  return { path, shown, state, text, diff };
}
