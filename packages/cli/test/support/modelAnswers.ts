/** A line of a recording. */
export interface Recorded {
  readonly method: "generateContent" | "generateContentStream";
  readonly response: unknown;
}

export interface Call {
  readonly name: string;
  readonly args: object;
}

/** The model says this, in as many pieces as there are texts. */
export function says(...texts: readonly string[]): Recorded {
  return streamed(texts.map((text) => [{ text }]));
}

/** The model calls a tool, after a word about it if there is one. */
export function calls(name: string, args: object, text?: string): Recorded {
  return callsAll([{ name, args }], text);
}

/** Several calls in one answer. */
export function callsAll(all: readonly Call[], text?: string): Recorded {
  const parts = all.map((functionCall) => ({ functionCall }));
  return streamed([...(text === undefined ? [] : [[{ text }]]), parts]);
}

/** What the model answers where no stream is asked for: a summary. */
export function sumsUp(text: string): Recorded {
  return { method: "generateContent", response: body([{ text }], "STOP") };
}

function streamed(pieces: readonly (readonly object[])[]): Recorded {
  const response = pieces.map((parts, index) => body(parts, index === pieces.length - 1 ? "STOP" : undefined));
  return { method: "generateContentStream", response };
}

function body(parts: readonly object[], finishReason: string | undefined) {
  return { candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }] };
}
