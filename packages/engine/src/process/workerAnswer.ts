import { spellsObjection } from "../events/objectionPattern.ts";
import type { WorkerEnding } from "./ending.ts";

/** A line that answers a request. The caller adds what the worker logged since the request. */
export interface WorkerAnswer {
  readonly id: number;
  readonly ending: WorkerEnding;
}

/**
 * Reads a line of a worker; undefined for a log line. Only a line that is one JSON object with an id and an output or an error is an
 * answer. A worker may log its request, id included, and a model chooses the content of the input: any other line counts only if
 * it begins like an answer, or objects. `isOpen` tells the ids of requests from other ids.
 */
export function readWorkerLine(
  line: string,
  truncated: boolean,
  isOpen: (id: number) => boolean = () => true,
): WorkerAnswer | undefined {
  const message = truncated || !line.startsWith("{") ? undefined : parse(line);
  if (isMessage(message)) return readMessage(message, line, isOpen);
  if (!ANSWER_START.test(line) && !spellsObjection(line)) return undefined;
  const id = idIn(line, isOpen);
  if (id === undefined || isRequest(line)) return undefined;
  const why = truncated
    ? "answered with more than outputLimit, so its answer was cut off"
    : "answered with a line that is not valid JSON";
  return { id, ending: { kind: "cutOff", why, line, stderr: "" } };
}

function isMessage(message: unknown): message is { readonly id: unknown } {
  return typeof message === "object" && message !== null && "id" in message;
}

function readMessage(
  message: { readonly id: unknown },
  line: string,
  isOpen: (id: number) => boolean,
): WorkerAnswer | undefined {
  const id = toId(message.id);
  if (id === undefined) return undefined;
  if ("error" in message && message.error !== undefined && message.error !== null) {
    return { id, ending: { kind: "reported", message: messageOf(message.error), line, stderr: "" } };
  }
  if ("output" in message && message.output !== undefined && typeof message.id === "number") {
    return { id, ending: { kind: "answered", value: message.output, beside: besideOutput(message), line, stderr: "" } };
  }
  if ("event" in message && "input" in message) return undefined; // the request itself, printed for a log
  if (isOpen(id) && !("output" in message) && !isBareAnswer(message) && !spellsObjection(line)) return undefined;
  // An answer next to "output" instead of in it, or an id in quotes: wrong, but it may object.
  const why = "output" in message ? 'answered with an "id" that is not a number' : 'answered without "output"';
  return { id, ending: { kind: "cutOff", why, line, stderr: "" } };
}

/** Fields other than id and output; usually there are none. */
function besideOutput(message: object): Readonly<Record<string, unknown>> | undefined {
  if (Object.keys(message).length <= 2) return undefined;
  return Object.fromEntries(Object.entries(message).filter(([key]) => key !== "output"));
}

function messageOf(error: unknown): string {
  if (typeof error === "string") return error;
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : undefined;
  return typeof message === "string" && message !== "" ? message : "an error without a message";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Also matches a line that is incomplete or too long. */
const ANSWER_START = /^\s*\{\s*(?:"id"\s*:\s*"?\d{1,16}"?\s*,\s*)?"(?:output|error)"\s*:/;

/** An answer without the "output" around it: reported immediately, so that the author notices. */
function isBareAnswer(message: object): boolean {
  return Object.keys(message).every((key) => BARE_FIELDS.has(key));
}

const BARE_FIELDS: ReadonlySet<string> = new Set([
  "id",
  "output",
  "error",
  "decision",
  "permissionDecision",
  "reason",
  "continue",
  "stopReason",
  "systemMessage",
  "suppressOutput",
  "hookSpecificOutput",
  "hook_signals",
  "logs",
]);

function isRequest(line: string): boolean {
  return line.includes('"event"') && line.includes('"input"') && !line.includes('"output"');
}

/** Ignores the id of a logged request: the input after it may contain any key, even "output". */
const IDS = /\bid\\*["']?\s*:\s*"?(\d{1,16})(?!\d)(?!(?:\s*,\s*"event"\s*:\s*"\w*")?\s*,\s*"input"\s*:)/g;

function idIn(line: string, isOpen: (id: number) => boolean): number | undefined {
  const ids = line.matchAll(IDS);
  let first: number | undefined;
  for (const [, digits] of ids) {
    const id = toId(digits);
    if (id !== undefined && isOpen(id)) return id;
    first ??= id;
  }
  return first;
}

/** A number, possibly in quotes. */
function toId(given: unknown): number | undefined {
  const id = typeof given === "string" && /^\d{1,16}$/.test(given) ? Number(given) : given;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : undefined;
}
