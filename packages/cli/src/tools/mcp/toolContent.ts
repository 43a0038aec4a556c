import type { ToolResult } from "@hookline/engine";
import type { ToolPart } from "@hookline/engine/program";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MAX_MEDIA_BYTES } from "../media.ts";
import { ShellOutput } from "../shellOutput.ts";

type Block = CallToolResult["content"][number];
/** A piece of a result: text, or base64 data with its type. */
type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "media"; readonly mimeType: string; readonly data: string };

/** Media types that models accept; other data is only mentioned. */
const MEDIA = /^(image|audio|video)\/[\w.+-]+$|^application\/pdf$/;
const BYTES_PER_CHAR = 3 / 4;

/** Converts a server's answer for the model: all text in one part, bounded like the output of a command, then the media. */
export function toToolResult({ content, structuredContent, isError }: CallToolResult): ToolResult {
  const pieces = content.map(toPiece);
  const hasText = pieces.some(({ kind }) => kind === "text");
  const output = new ShellOutput(undefined);
  const media: ToolPart[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    if (piece.kind === "text") {
      output.add(`${piece.text}\n`);
      continue;
    }
    const { mimeType, data } = piece;
    bytes += data.length * BYTES_PER_CHAR;
    const fits = MEDIA.test(mimeType) && bytes <= MAX_MEDIA_BYTES;
    if (fits) media.push({ inlineData: { mimeType, data } });
    output.add(
      fits ? `[${mimeType}, part ${media.length}]\n` : `[${mimeType} of ${data.length} characters is left out]\n`,
    );
  }
  if (!hasText && structuredContent !== undefined) output.add(JSON.stringify(structuredContent));
  const text = output.text().trimEnd() || "(The tool returned nothing.)";
  return {
    llmContent: media.length === 0 ? text : [{ text }, ...media],
    returnDisplay: text,
    ...(isError ? { error: { message: text, type: "execution_failed" } } : {}),
  };
}

function toPiece(block: Block): Piece {
  switch (block.type) {
    case "text":
      return { kind: "text", text: block.text };
    case "image":
    case "audio":
      return { kind: "media", mimeType: block.mimeType, data: block.data };
    case "resource_link":
      return { kind: "text", text: `[${block.name}: ${block.uri}]` };
    case "resource": {
      const { resource } = block;
      if ("text" in resource) return { kind: "text", text: `[${resource.uri}]\n${resource.text}` };
      return { kind: "media", mimeType: resource.mimeType ?? "application/octet-stream", data: resource.blob };
    }
  }
}
