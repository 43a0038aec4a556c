import { parse as parseTolerantly } from "jsonc-parser";
import type { WorkerEnding } from "./ending.ts";

/** A line that answers a request. What the worker logged meanwhile is for the reader to add. */
export interface WorkerAnswer {
  readonly id: number;
  readonly ending: WorkerEnding;
}

/** Reads a line of a worker; undefined if it is no answer but something it logs. */
export function readWorkerLine(text: string, truncated: boolean): WorkerAnswer | undefined {
  if (!text.startsWith("{")) return undefined;
  const message = truncated ? undefined : parse(text);
  if (message !== undefined) return readMessage(message);
  // Broken JSON may still name its request and object to it.
  const { id, output } = readBroken(text);
  if (!isId(id)) return undefined;
  const why = truncated
    ? "answered with more than outputLimit, so its answer was cut off"
    : "answered with a line that is not valid JSON";
  return { id, ending: { kind: "cutOff", value: output, why, stderr: "" } };
}

/** What can be read of broken JSON. The parser is recursive: a line that is nested deeper than the stack holds nothing. */
function readBroken(text: string): Readonly<Record<string, unknown>> {
  try {
    return fields(parseTolerantly(text, [], { allowTrailingComma: true }));
  } catch {
    return {};
  }
}

function readMessage(message: unknown): WorkerAnswer | undefined {
  if (typeof message !== "object" || message === null || !("id" in message) || !isId(message.id)) return undefined;
  const { id } = message;
  const output = "output" in message ? message.output : undefined;
  if ("error" in message && message.error !== undefined && message.error !== null) {
    return { id, ending: { kind: "reported", message: messageOf(message.error), value: output, stderr: "" } };
  }
  if (output !== undefined) return { id, ending: { kind: "answered", value: output, stderr: "" } };
  if ("event" in message && "input" in message) return undefined; // the request itself, printed for a log
  // An answer beside "output" instead of in it: wrong, but it may object.
  return { id, ending: { kind: "cutOff", value: message, why: 'answered without "output"', stderr: "" } };
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  const { message } = fields(error);
  return typeof message === "string" && message !== "" ? message : "an error without a message";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

const isId = (id: unknown): id is number => typeof id === "number" && Number.isSafeInteger(id);
