import { z } from "zod";
import { counted } from "../table.ts";
import { defineTool } from "./defineTool.ts";
import { type FileContent, readRegularFile, stateOfFile } from "./openRegularFile.ts";
import { decodeExactly, isBinary, MAX_TEXT_BYTES } from "./textFile.ts";
import { unifiedDiff } from "./unifiedDiff.ts";
import type { Workspace } from "./workspace.ts";
import { writeAtomically } from "./writeAtomically.ts";

const schema = z.object({
  file_path: z
    .string()
    .min(1)
    .describe("The file, absolute or relative to the workspace. Missing folders are created."),
  content: z.string().describe("All that the file shall contain."),
});

export const writeFile = defineTool({
  name: "write_file",
  kind: "edit",
  description:
    "Writes a text file of the workspace. What the file contained before is gone; to change a part of it, use replace.",
  schema,
  otherNames: { absolute_path: "file_path" },
  async check({ file_path }, { workspace }) {
    const path = workspace.resolve(file_path);
    await stateOfFile(path, workspace.show(path));
  },
  writes: ({ file_path }, { workspace }) => [workspace.resolve(file_path)],
  async describe({ file_path, content }, { workspace }) {
    const path = workspace.resolve(file_path);
    const { state, diff } = await plan(workspace, path, content);
    const verb = state ? "Overwrite" : "Create";
    return { type: "edit", title: `${verb} ${workspace.show(path)}?`, file_path: path, diff };
  },
  async run({ file_path, content }, { workspace, signal }) {
    const path = workspace.resolve(file_path);
    const { state, diff } = await plan(workspace, path, content);
    signal?.throwIfAborted();
    await writeAtomically({ workspace, path, content, expected: state });
    const size = counted(Buffer.byteLength(content), "byte");
    const done = state ? "Overwrote" : "Created";
    return { llmContent: `${done} ${workspace.show(path)} (${size}).`, returnDisplay: diff };
  },
});

async function plan(workspace: Workspace, path: string, content: string) {
  const shown = workspace.show(path);
  const state = await stateOfFile(path, shown);
  if (!state) return { state, diff: await unifiedDiff(shown, "", content) };
  if (state.size > MAX_TEXT_BYTES) return { state, diff: `[${state.size} bytes of ${shown} are overwritten]` };
  const old = await readRegularFile(workspace, path, { maxBytes: MAX_TEXT_BYTES, advice: "" });
  return { state: old.state, diff: await diffOf(old, shown, content) };
}

async function diffOf({ bytes }: FileContent, shown: string, content: string): Promise<string> {
  const before = isBinary(bytes) ? undefined : decodeExactly(bytes);
  return before === undefined
    ? `[${shown} is not a text file; its ${counted(bytes.length, "byte")} are overwritten]`
    : unifiedDiff(shown, before, content);
}
