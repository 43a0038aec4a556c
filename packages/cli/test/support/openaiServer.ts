import { type ModelServer, type Reply, startModelServer } from "./modelServer.ts";

/** Speaks OpenAI's chat completions; its `url` with `/v1` is for OPENAI_BASE_URL. */
export function startOpenAiServer(replies: readonly Reply[]): Promise<ModelServer> {
  return startModelServer(replies, (message) => openAiError(400, message));
}

/** A part of an answer; the last one has a reason to end. */
export function openAiChunk(delta: object, finish_reason: string | null = null) {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1,
    model: "test-model",
    choices: [{ index: 0, delta, finish_reason }],
  };
}

export const OPENAI_USAGE = {
  ...openAiChunk({}),
  choices: [],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
};

/** A stream that says these texts, one chunk each. */
export function openAiSays(...texts: readonly string[]): Reply {
  const chunks = texts.map((content) => openAiChunk({ role: "assistant", content }));
  return { kind: "stream", events: [...chunks, openAiChunk({}, "stop"), OPENAI_USAGE, "[DONE]"] };
}

/** A stream that calls a function; the arguments come in two pieces. */
export function openAiCalls(id: string, name: string, args: string): Reply {
  const half = Math.ceil(args.length / 2);
  const piece = (call: object) => openAiChunk({ tool_calls: [{ index: 0, ...call }] });
  const first = { id, type: "function", function: { name, arguments: args.slice(0, half) } };
  const second = { function: { arguments: args.slice(half) } };
  const events = [piece(first), piece(second), openAiChunk({}, "tool_calls"), OPENAI_USAGE, "[DONE]"];
  return { kind: "stream", events };
}

export function openAiError(status: number, message: string, more: object = {}): Reply {
  const { headers, ...fields } = { headers: {}, ...more };
  return { kind: "json", status, headers, body: { error: { message, type: "error", code: null, ...fields } } };
}
