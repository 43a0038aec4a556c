import { type ModelServer, type Reply, startModelServer } from "./modelServer.ts";

/** Speaks the wire format of the Gemini API; its `url` is for GOOGLE_GEMINI_BASE_URL. */
export function startGeminiServer(replies: readonly Reply[]): Promise<ModelServer> {
  return startModelServer(replies, (message) => geminiError(400, message));
}

/** A part of an answer; the last one has a reason to end. */
export function geminiChunk(parts: readonly unknown[], finishReason?: string) {
  return {
    candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
    usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
    modelVersion: "gemini-test",
  };
}

/** A stream that says these texts, one chunk each. */
export function geminiSays(...texts: readonly string[]): Reply {
  const events = texts.map((text, index) => geminiChunk([{ text }], index === texts.length - 1 ? "STOP" : undefined));
  return { kind: "stream", events };
}

/** A stream that calls a function. */
export function geminiCalls(name: string, args: object): Reply {
  return { kind: "stream", events: [geminiChunk([{ functionCall: { name, args } }], "STOP")] };
}

interface ErrorOptions {
  readonly details?: readonly unknown[];
  readonly headers?: Readonly<Record<string, string>>;
}

export function geminiError(status: number, message: string, { details = [], headers = {} }: ErrorOptions = {}): Reply {
  return { kind: "json", status, headers, body: { error: { code: status, message, status: "FAILED", details } } };
}
