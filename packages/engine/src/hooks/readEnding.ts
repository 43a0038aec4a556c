import { inspect } from "node:util";
import { parse as parseTolerantly } from "jsonc-parser";
import type { Captured } from "../process/ending.ts";
import { type Failure, isRecord } from "./answer.ts";
import type { Ending } from "./ending.ts";

/** What an ending says before anybody asks which event it was: an object to interpret, a block, a failure. */
export interface Reading {
  readonly value?: Readonly<Record<string, unknown>>;
  /** Exit code 2: an objection by itself, with the reason it gives. */
  readonly exitTwo?: { readonly reason: string | undefined };
  /** Text of a hook that does not speak JSON. */
  readonly text?: string;
  readonly failure?: Failure;
  readonly warnings: readonly string[];
}

const NO_WARNINGS: readonly string[] = [];
const NOTHING: Reading = { warnings: NO_WARNINGS };
const MAX_TEXT = 10 * 1024;

/** Reads any ending without throwing. An objection that can be read is in `value`, whatever else went wrong. */
export function readEnding(ending: Ending): Reading {
  switch (ending.kind) {
    case "exited":
      return readExit(ending.code, ending);
    case "killed":
      return failed(ending, { kind: "killed", message: `was killed by ${ending.signal}`, signal: ending.signal });
    case "timedOut":
      return failed(ending, { kind: "timedOut", message: `timed out after ${ending.afterMs} ms` });
    case "aborted":
      return failed(ending, { kind: "aborted", message: "was cancelled by the caller" });
    case "notStarted":
      return {
        failure: { kind: "notStarted", message: `could not be started: ${ending.cause.message}` },
        warnings: [],
      };
    case "threw":
      return { failure: { kind: "threw", message: `threw: ${describeThrown(ending.error)}` }, warnings: [] };
    case "overran":
      return {
        ...readValue(ending.value),
        failure: { kind: "overran", message: `held the thread for ${ending.afterMs} ms, beyond its timeout` },
      };
    case "returned":
      return readValue(ending.value);
    case "answered":
      return typeof ending.value === "string" ? readText(ending.value) : readValue(ending.value);
    case "reported":
      return { ...asObject(ending.value), failure: reported(ending.message), warnings: [] };
    case "cutOff":
      return { ...asObject(ending.value), failure: bad(ending.why), warnings: [] };
    case "answeredTwice":
      return failed(ending, bad("answered one request more than once"));
    case "died":
      return { failure: died(ending), warnings: [] };
    case "responded":
      return readResponse(ending);
  }
}

function died({ how, exitCode, signal, stderr }: Ending & { kind: "died" }): Failure {
  const note = stderr.trim();
  return {
    kind: "died",
    message: note ? `${how}: ${note.slice(-MAX_TEXT)}` : how,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Only a JSON object is an answer: a page of some proxy must not reach the model as a message. */
function readResponse(ending: Ending & { kind: "responded" }): Reading {
  const { value, failure, text, warnings } = readText(ending.body);
  const wrong = responseFailure(ending) ?? failure ?? (text === undefined ? undefined : NO_OBJECT);
  return { ...asValue(value), ...(wrong ? { failure: wrong } : {}), warnings };
}

function responseFailure({ status, truncated }: Ending & { kind: "responded" }): Failure | undefined {
  if (status < 200 || status > 299) {
    const note = status >= 300 && status <= 399 ? "; redirects are not followed" : "";
    return { kind: "status", message: `answered with HTTP status ${status}${note}`, status };
  }
  if (truncated === "brokeOff") return bad("broke off in the middle of its answer");
  return truncated ? bad("answered with more than outputLimit, so its answer was cut off") : undefined;
}

function readExit(code: number, captured: Captured): Reading {
  const stdout = readText(captured.stdout);
  if (code === 2) {
    const object = stdout.value ?? readText(captured.stderr).value;
    return {
      ...asValue(object),
      exitTwo: { reason: exitTwoReason(object, captured, stdout) },
      warnings: stdout.warnings,
    };
  }
  if (code !== 0) {
    const note = captured.stderr.trim();
    const message = `exited with code ${code}${note ? `: ${note.slice(0, MAX_TEXT)}` : ""}`;
    return failed(captured, { kind: "exitCode", message, exitCode: code });
  }
  if (captured.stdoutTruncated) {
    return failed(captured, { kind: "badAnswer", message: "printed more than outputLimit, so its answer was cut off" });
  }
  return stdout;
}

/** A failure keeps the object it printed, for the objection that may be in it. */
function failed(captured: Pick<Captured, "stdout">, failure: Failure): Reading {
  const { value, warnings } = readText(captured.stdout);
  return { ...asValue(value), failure, warnings };
}

function exitTwoReason(object: Reading["value"], captured: Captured, stdout: Reading): string | undefined {
  const given = object?.reason;
  if (typeof given === "string" && given.trim()) return given;
  if (readText(captured.stderr).value === undefined && captured.stderr.trim()) {
    return captured.stderr.trim().slice(0, MAX_TEXT);
  }
  return stdout.value === undefined ? captured.stdout.trim().slice(0, MAX_TEXT) || undefined : undefined;
}

/** Standard output as an answer: an object, an object after other text, plain text, nothing, or rubbish. */
function readText(raw: string): Reading {
  const text = raw.trim(); // a byte order mark counts as space
  if (text === "") return { warnings: [] };
  const parsed = parseJson(text);
  if (parsed !== undefined) return readValue(typeof parsed === "string" ? (parseJson(parsed) ?? parsed) : parsed);
  if (text.startsWith("{")) {
    return { ...asValue(rescue(text)), failure: bad("printed an object that is not valid JSON"), warnings: [] };
  }
  const tail = trailingObject(text);
  if (tail) {
    const log = text.slice(0, tail.start).trim().slice(0, 200);
    return { value: tail.value, warnings: [`text before the answer was taken as a log line: ${JSON.stringify(log)}`] };
  }
  return { text: text.slice(0, MAX_TEXT), warnings: [] };
}

function readValue(value: unknown): Reading {
  if (value === undefined || value === null) return NOTHING;
  if (isRecord(value)) return { value, warnings: NO_WARNINGS };
  if (typeof value === "string")
    return value.trim() ? { text: value.slice(0, MAX_TEXT), warnings: [] } : { warnings: [] };
  return {
    failure: bad(`answered with ${Array.isArray(value) ? "an array" : `a ${typeof value}`}, not an object`),
    warnings: [],
  };
}

/** The last object in the text, if the text ends with it. Tries at most the last 50 line starts with a brace. */
function trailingObject(text: string): { value: Record<string, unknown>; start: number } | undefined {
  if (!text.endsWith("}")) return undefined;
  const starts = [...text.matchAll(/\{/g)].map((match) => match.index);
  for (const start of starts.length > 100 ? [...starts.slice(0, 50), ...starts.slice(-50)] : starts) {
    const value = parseJson(text.slice(start));
    if (isRecord(value)) return { value, start };
  }
  return undefined;
}

/** Broken JSON may still say "deny": read what can be read of it; only its objection will count. */
function rescue(text: string): Record<string, unknown> | undefined {
  const candidates: unknown[] = [parseTolerantly(text, [], { allowTrailingComma: true }), trailingObject(text)?.value];
  return candidates.filter(isRecord).find(soundsLikeObjection);
}

const OBJECTING_KEYS = ["decision", "continue", "permissionDecision", "hookSpecificOutput", "hook_signals"];
const soundsLikeObjection = (value: Record<string, unknown>) => OBJECTING_KEYS.some((key) => key in value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describeThrown(error: unknown): string {
  return error instanceof Error ? error.message : inspect(error);
}

const bad = (message: string): Failure => ({ kind: "badAnswer", message });
const reported = (message: string): Failure => ({ kind: "reported", message: `reported: ${message}` });
const NO_OBJECT = bad("answered with text that is no JSON object");
const asValue = (value: Reading["value"]) => (value === undefined ? {} : { value });
const asObject = (value: unknown) => asValue(isRecord(value) ? value : undefined);
