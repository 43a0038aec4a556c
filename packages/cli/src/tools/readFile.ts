import { basename } from "node:path";
import { z } from "zod";
import { counted } from "../terminal/table.ts";
import { defineTool } from "./defineTool.ts";
import { MAX_MEDIA_BYTES, mediaTypeOf } from "./media.ts";
import { readRegularFile } from "./openRegularFile.ts";
import { linesFrom, MAX_LINES } from "./shownLines.ts";
import { isBinary, MAX_TEXT_BYTES } from "./textFile.ts";
import { ToolFault } from "./toolFault.ts";

const schema = () =>
  z.object({
    file_path: z.string().min(1).describe("The file, absolute or relative to the workspace."),
    offset: z.int().min(0).max(1e9).optional().describe("How many lines to skip; 0 starts at the first line."),
    limit: z.int().min(1).max(1e9).optional().describe(`How many lines to read; at most ${MAX_LINES}.`),
  });

export const readFile = defineTool({
  name: "read_file",
  kind: "read",
  description:
    "Reads a text file, an image (PNG, JPEG, GIF, WebP) or a PDF of the workspace. For a long text file it returns a part and says how to continue with `offset` and `limit`.",
  schema,
  otherNames: { absolute_path: "file_path" },
  check: ({ file_path }, { workspace }) => void workspace.resolve(file_path),
  reads: ({ file_path }, { workspace }) => [workspace.resolve(file_path)],
  describe: ({ file_path }, { workspace }) => ({
    type: "info",
    title: `Read ${workspace.show(workspace.resolve(file_path))}?`,
    file_path: workspace.resolve(file_path),
  }),
  async run({ file_path, offset = 0, limit = MAX_LINES }, { workspace }) {
    const path = workspace.resolve(file_path);
    const shown = workspace.show(path);
    const { bytes } = await readRegularFile(workspace, path, {
      maxBytes: MAX_TEXT_BYTES,
      advice: "Search it with grep_search, or read a part with run_shell_command.",
    });
    const mimeType = mediaTypeOf(bytes);
    if (mimeType !== undefined) return mediaResult(bytes, mimeType, shown);
    if (isBinary(bytes)) throw new ToolFault(`${shown} is a binary file; only text, images and PDF files can be read.`);
    const { text, first, last, total } = linesFrom(bytes.toString("utf8"), offset, limit);
    if (total === 0) return { llmContent: `${shown} is empty.`, returnDisplay: `${shown} is empty` };
    if (first > total) {
      throw new ToolFault(`${shown} has only ${counted(total, "line")}; \`offset\` counts from 0, so it must be less.`);
    }
    const whole = first === 1 && last === total;
    const more = last < total ? ` To continue, use offset ${last}.` : "";
    return {
      llmContent: whole ? text : `${text}\n\n[Lines ${first} to ${last} of ${total} are shown.${more}]`,
      returnDisplay: whole
        ? `${counted(total, "line")} of ${shown}`
        : `lines ${first} to ${last} of ${total} of ${shown}`,
    };
  },
});

function mediaResult(bytes: Buffer, mimeType: string, shown: string) {
  if (bytes.length > MAX_MEDIA_BYTES) {
    throw new ToolFault(
      `${shown} has ${bytes.length} bytes; the limit for images and PDF files is ${MAX_MEDIA_BYTES}.`,
    );
  }
  return {
    llmContent: [{ inlineData: { mimeType, data: bytes.toString("base64"), displayName: basename(shown) } }],
    returnDisplay: `${shown} (${mimeType}, ${counted(bytes.length, "byte")})`,
  };
}
