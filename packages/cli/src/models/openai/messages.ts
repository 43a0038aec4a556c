import type { Content, FunctionResponse, GenerateContentParameters, Part } from "@google/genai";
import { listContents, textOf } from "./contents.ts";
import { OpenCalls } from "./openCalls.ts";
import type { ContentPiece, MessageOut } from "./wire.ts";

/** Converts the conversation to messages. Omits thoughts, because the API has no field for them. */
export function toMessages({ contents, config }: GenerateContentParameters): readonly MessageOut[] {
  const instruction = textOf(config?.systemInstruction);
  const open = new OpenCalls();
  const messages = listContents(contents).flatMap((content) =>
    content.role === "model" ? fromModel(content, open) : fromUser(content, open),
  );
  return instruction === "" ? messages : [{ role: "system", content: instruction }, ...messages];
}

function fromModel({ parts = [] }: Content, open: OpenCalls): readonly MessageOut[] {
  const text = parts.flatMap((part) => (part.thought ? [] : (part.text ?? []))).join("");
  const calls = parts.flatMap(({ functionCall }) => (functionCall ? [open.add(functionCall)] : []));
  if (text === "" && calls.length === 0) return [];
  return [{ role: "assistant", content: text || null, ...(calls.length > 0 && { tool_calls: calls }) }];
}

/** Results come first, because they must follow their calls. The API does not allow media within a tool's result. */
function fromUser({ parts = [] }: Content, open: OpenCalls): readonly MessageOut[] {
  const results = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
  const media = results.flatMap((result) => result.parts ?? []);
  const said = [...media, ...parts.filter(({ functionResponse }) => !functionResponse)].flatMap(pieceOf);
  return [
    ...results.map(
      (result): MessageOut => ({ role: "tool", tool_call_id: open.answer(result), content: resultText(result) }),
    ),
    ...(said.length > 0 ? [{ role: "user" as const, content: simplest(said) }] : []),
  ];
}

function pieceOf({ text, thought, inlineData, fileData }: Part): readonly ContentPiece[] {
  if (inlineData?.data && inlineData.mimeType?.startsWith("image/")) {
    return [{ type: "image_url", image_url: { url: `data:${inlineData.mimeType};base64,${inlineData.data}` } }];
  }
  if (fileData?.fileUri && fileData.mimeType?.startsWith("image/")) {
    return [{ type: "image_url", image_url: { url: fileData.fileUri } }];
  }
  const other = inlineData ?? fileData;
  // Tell the model about an omitted file, so that it does not answer as if it had it.
  if (other)
    return [{ type: "text", text: `[A file of type ${other.mimeType ?? "unknown"} that this model cannot be sent]` }];
  return text && !thought ? [{ type: "text", text }] : [];
}

/** Many servers accept only a string if all pieces are text. */
function simplest(pieces: readonly ContentPiece[]): string | readonly ContentPiece[] {
  const texts = pieces.flatMap((piece) => (piece.type === "text" ? [piece.text] : []));
  return texts.length === pieces.length ? texts.join("\n\n") : pieces;
}

function resultText({ response = {} }: FunctionResponse): string {
  const { output, ...others } = response;
  return typeof output === "string" && Object.keys(others).length === 0 ? output : JSON.stringify(response);
}
