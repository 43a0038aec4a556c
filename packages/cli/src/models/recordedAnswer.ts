import type { HooklineError } from "@hookline/engine";
import { didYouMean, type Place } from "@hookline/engine/program";
import { z } from "zod";
import { ProgramError } from "../errors.ts";
import { shortened } from "../terminal/visible.ts";
import type { ModelMethod } from "./contentGenerator.ts";

export interface RecordedAnswer {
  readonly method: ModelMethod;
  /** Exactly one for generateContent. */
  readonly chunks: readonly Readonly<Record<string, unknown>>[];
}

const METHODS: readonly ModelMethod[] = ["generateContent", "generateContentStream"];

/** Checks only the fields we use: a recording may contain anything that a service sends. */
const content = z.looseObject({ parts: z.array(z.looseObject({})).nullish() });
const candidate = z.looseObject({ content: content.nullish(), index: z.number().nullish() });
const body = z.looseObject({ candidates: z.array(candidate).nullish() });

const RESPONSES = { generateContent: body.transform((one) => [one]), generateContentStream: z.array(body) };

/** Reads a line of a recording; throws an error with its place. */
export function readAnswer(text: string, where: Place): RecordedAnswer {
  const line = z
    .looseObject({ method: z.unknown().optional(), response: z.unknown().optional() })
    .safeParse(parsed(text, where));
  if (!line.success) throw invalid(where, "The line is not a JSON object.");
  const method = METHODS.find((name) => name === line.data.method);
  if (!method) throw invalid(where, unknownMethod(line.data.method));
  const response = RESPONSES[method].safeParse(line.data.response);
  if (response.success) return { method, chunks: response.data };
  const [issue] = response.error.issues;
  throw invalid(where, `"${["response", ...(issue?.path ?? [])].join(".")}" cannot be used: ${issue?.message}.`);
}

function parsed(text: string, where: Place): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid(where, "The line is not JSON.", cause);
  }
}

function unknownMethod(method: unknown): string {
  if (typeof method !== "string") return '"method" is missing.';
  return `There is no method ${shortened(JSON.stringify(method), 60)}.${didYouMean(method, METHODS)}`;
}

function invalid(where: Place, what: string, cause?: unknown): HooklineError {
  return new ProgramError({ code: "REPLAY_INVALID", where, what, cause });
}
