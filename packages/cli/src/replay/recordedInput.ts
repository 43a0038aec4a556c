import { type Fields, isFields } from "@hookline/engine/program";

/** Converts recorded input to the current format: earlier versions kept a message's parts in `content`. */
export function recordedInput(input: Fields): Fields {
  const { llm_request: request } = input;
  if (!isFields(request) || !Array.isArray(request.messages)) return input;
  return { ...input, llm_request: { ...request, messages: request.messages.map(withParts) } };
}

function withParts(message: unknown): unknown {
  if (!isFields(message) || !Array.isArray(message.content)) return message;
  const parts = message.content;
  const texts = parts.map((part: unknown) => (isFields(part) && part.type === "text" ? part.text : ""));
  return { ...message, content: texts.join(""), parts };
}
