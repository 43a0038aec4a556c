import { StringDecoder } from "node:string_decoder";
import type { Attributes } from "@opentelemetry/api";
import { answeredDecision, type Failure } from "../answer/answer.ts";
import type { Ending } from "../answer/ending.ts";
import type { RecordOf } from "../record/recorder.ts";
import { ATTRIBUTES } from "./attributes.ts";

const MAX_PAYLOAD_BYTES = 8 * 1024;

/** The attributes of a run. Contains no text of the hook or the agent unless `payloads` is set. */
export function runAttributes(record: RecordOf<"hookEnded">, payloads: boolean): Attributes {
  const { ending, failure, answer, applied, readInput, readInputSize } = record;
  return {
    [ATTRIBUTES.hookOutcome]: outcomeOf(failure),
    [ATTRIBUTES.hookDecision]: answeredDecision(answer),
    [ATTRIBUTES.hookApplied]: applied,
    ...given(ATTRIBUTES.hookExitCode, exitCodeOf(ending)),
    ...given(ATTRIBUTES.hookInputSize, readInputSize()),
    ...given(ATTRIBUTES.hookOutputSize, sizeOf(outputOf(ending))),
    ...(payloads && {
      ...given(ATTRIBUTES.hookInput, capped(jsonOf(readInput()))),
      ...given(ATTRIBUTES.hookAnswer, capped(outputOf(ending) ?? jsonOf(returnedBy(ending)))),
    }),
  };
}

export const outcomeOf = (failure: Failure | undefined): "ok" | Failure["kind"] => failure?.kind ?? "ok";

function exitCodeOf(ending: Ending): number | undefined {
  return ending.kind === "exited" ? ending.code : ending.kind === "died" ? ending.exitCode : undefined;
}

/** The text output, if there is any. */
function outputOf(ending: Ending): string | undefined {
  if ("stdout" in ending) return ending.stdout;
  if (ending.kind === "answered") return jsonOf(ending.value);
  return "body" in ending ? ending.body : undefined;
}

const returnedBy = (ending: Ending): unknown => ("value" in ending ? ending.value : undefined);
const sizeOf = (text: string | undefined) => (text === undefined ? undefined : Buffer.byteLength(text));
const given = (key: string, value: string | number | undefined) => (value === undefined ? {} : { [key]: value });

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // not expressible in JSON; keep the other attributes
  }
}

/** Cuts the text to a number of bytes, without half a character at the end. */
export function capped(text: string | undefined): string | undefined {
  if (text === undefined || Buffer.byteLength(text) <= MAX_PAYLOAD_BYTES) return text;
  const bytes = Buffer.from(text.slice(0, MAX_PAYLOAD_BYTES));
  return new StringDecoder("utf8").write(bytes.subarray(0, MAX_PAYLOAD_BYTES));
}
