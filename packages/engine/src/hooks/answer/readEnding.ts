import { inspect } from "node:util";
import { spellsObjection } from "../../events/objectionPattern.ts";
import { isInstance, unwrapped } from "../../events/unwrapped.ts";
import type { Captured } from "../../process/ending.ts";
import { type Failure, fieldOf, isRecord } from "./answer.ts";
import type { Ending } from "./ending.ts";
import { membersIn } from "./objectingMembers.ts";
import type { KeptMembers } from "./objectTrack.ts";
import {
  bad,
  MAX_TEXT,
  NOTHING_READ,
  notAnObject,
  objectionsIn,
  objectionsInLine,
  overwrittenIn,
  readText,
  type TextReading,
} from "./readText.ts";

/** What an ending says, independent of the event: an object to interpret, objections, a block, a failure. */
export interface Reading extends TextReading {
  /** Exit code 2: an objection in itself, with its reason. */
  readonly exitTwo?: { readonly reason: string | undefined };
}

/** Reads any ending without throwing. Contains every objection that can be read, whatever else went wrong. */
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
    case "noCapacity":
      return { failure: noCapacity(ending), warnings: [] };
    case "threw": {
      const failure: Failure = { kind: "threw", message: `threw: ${describeThrown(ending.error)}` };
      return { ...objectionsInThrown(ending.error), failure, warnings: [] };
    }
    case "overran":
      return {
        ...readReturned(ending.value),
        failure: { kind: "overran", message: `held the thread for ${ending.afterMs} ms, beyond its timeout` },
      };
    case "returned":
      return readReturned(ending.value);
    case "answered":
      return readWorkerAnswer(ending);
    case "reported":
      return { ...objectionsInLine(ending.line), failure: reported(ending.message), warnings: [] };
    case "cutOff":
      return { ...objectionsInLine(ending.line), failure: bad(ending.why), warnings: [] };
    case "answeredTwice":
      return { ...objectionsIn(ending.stdout), failure: bad("answered one request more than once"), warnings: [] };
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

/** Only a JSON object is an answer: an error page of a proxy must not reach the model as a message. */
function readResponse(ending: Ending & { kind: "responded" }): Reading {
  const { text: _, failure, ...reading } = readText(ending.body);
  const isAnswer = reading.value !== undefined || ending.body.trim() === "";
  const wrong = responseFailure(ending) ?? failure ?? (isAnswer ? undefined : NO_OBJECT);
  return wrong ? { ...reading, failure: wrong } : reading;
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
  if (code === 2) return readExitTwo(captured);
  if (code !== 0) {
    const note = captured.stderr.trim();
    const message = `exited with code ${code}${note ? `: ${note.slice(0, MAX_TEXT)}` : ""}`;
    return failed(captured, { kind: "exitCode", message, exitCode: code });
  }
  if (captured.stdoutTruncated) {
    return failed(captured, bad("printed more than outputLimit, so its answer was cut off"));
  }
  return readStreams(captured);
}

/** Reads standard output; if that is empty, an objection on standard error counts. */
function readStreams({ stdout, stderr }: Captured): Reading {
  if (stdout.trim() !== "" || !stderr.includes("{")) return readText(stdout);
  const { fragments } = objectionsIn(stderr);
  return fragments ? { fragments, warnings: [] } : NOTHING_READ;
}

/** After a failure only the objections in its output count. */
function failed(captured: Captured, failure: Failure): Reading {
  const { text: _, ...reading } = readStreams(captured);
  return { ...reading, failure };
}

/** Always blocks; its output gives the reason. */
function readExitTwo(captured: Captured): Reading {
  const { text: _, failure: __, ...reading } = readStreams(captured);
  const streams = [captured.stdout, captured.stderr].map((printed) => ({ printed, read: readText(printed) }));
  const given = streams
    .flatMap(({ read: { value, roots = [] } }) => (value ? [value] : roots))
    .map(({ reason }) => reason);
  const plain = streams.toReversed().flatMap(({ printed, read }) => (read.value === undefined ? [printed.trim()] : []));
  const isReason = (reason: unknown): reason is string => typeof reason === "string" && reason.trim() !== "";
  return { ...reading, exitTwo: { reason: [...given, ...plain].find(isReason)?.slice(0, MAX_TEXT) } };
}

/** Reads the output of a line; an objection may also be next to it, or in a field that a repeated key replaced. */
function readWorkerAnswer({ value, line, beside }: Ending & { kind: "answered" }): Reading {
  const reading = typeof value === "string" ? readText(value) : readReturned(value);
  const more = [...(beside ? membersIn(beside) : []), ...overwrittenInLine(line)];
  return more.length === 0 ? reading : { ...reading, fragments: [...(reading.fragments ?? []), ...more] };
}

function overwrittenInLine(line: string): readonly KeptMembers[] {
  return spellsObjection(line) ? overwrittenIn(line, JSON.parse(line)) : [];
}

/** Reads a value of this process: it may be anything, even something that throws on access. */
function readReturned(value: unknown): Reading {
  try {
    if (value === undefined || value === null) return NOTHING_READ;
    const content = unwrapped(value);
    if (isRecord(content) && isInstance(content)) {
      const { warnings } = NOTHING_READ;
      return content === value ? { value: content, warnings } : { value: content, ...fragment(value), warnings };
    }
    if (typeof content !== "string") return { ...fragment(value), failure: notAnObject(content), warnings: [] };
    if (content.trim() === "") return NOTHING_READ;
    return { ...objectionsIn(content), text: content.slice(0, MAX_TEXT), warnings: [] };
  } catch {
    return { failure: bad("answered with a value that cannot be read"), warnings: [] };
  }
}

function fragment(value: unknown): Pick<Reading, "fragments"> {
  const found = membersIn(value);
  return found.length > 0 ? { fragments: found } : {};
}

/** A hook may throw its answer, or an error with the answer as its message. */
function objectionsInThrown(error: unknown): Pick<Reading, "fragments" | "spelled"> {
  const message = typeof error === "object" && error !== null ? fieldOf(error, "message") : error;
  const { fragments = [], spelled } = typeof message === "string" ? objectionsIn(message) : {};
  const all = [...membersIn(error), ...fragments];
  return { ...(all.length > 0 ? { fragments: all } : {}), ...(spelled ? { spelled } : {}) };
}

function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? error.message : inspect(error);
  } catch {
    return "something that cannot be read";
  }
}

function noCapacity({ afterMs, cause }: Ending & { kind: "noCapacity" }): Failure {
  return { kind: "noCapacity", message: `could not be started within ${afterMs} ms: ${cause.message}` };
}

const reported = (message: string): Failure => ({ kind: "reported", message: `reported: ${message}` });
const NO_OBJECT = bad("answered with text that is not a JSON object");
