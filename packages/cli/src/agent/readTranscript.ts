import type { Content, FunctionResponse, Part } from "@google/genai";
import type { HooklineError } from "@hookline/engine";
import { neutralise } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import { readOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import { ProgramError } from "../errors.ts";
import { completeHistory } from "./completeHistory.ts";
import { isSessionId, transcriptPath } from "./transcript.ts";

/** More than any session that a model could still take. */
const MOST_BYTES = 128 * 1024 ** 2;

/** The only roles that hookline writes: a line that speaks as the system is not ours. */
const content = z.looseObject({ role: z.enum(["user", "model"]), parts: z.array(z.looseObject({})) });
const line = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("message"), content }),
  z.looseObject({ type: z.literal("replaced"), contents: z.array(content) }),
]);

export interface PastSession {
  /** Fit to be sent to a model, whenever the session broke off. */
  readonly contents: readonly Content[];
  /** Lines that cannot be read: a crash may cut one. */
  readonly unreadable: number;
}

/** The conversation of an earlier session, from the user's own folder only. */
export function readTranscript(place: StatePlace, id: string): PastSession {
  if (!isSessionId(id)) throw unknown(id, "That is not an id of a session.");
  const file = transcriptPath(place, id);
  let text: string;
  try {
    text = readOwnFile(file, MOST_BYTES);
  } catch (error) {
    throw unknown(id, `There is no transcript of it that can be read (${file}: ${reasonOf(error)}).`, error);
  }
  let contents: Content[] = [];
  let unreadable = 0;
  for (const written of text.split("\n")) {
    if (written === "") continue;
    const value = parse(written);
    const read = line.safeParse(value).data;
    if (read?.type === "message") contents.push(read.content);
    if (read?.type === "replaced") contents = [...read.contents];
    if (read === undefined && !isOther(value)) unreadable += 1;
  }
  return { contents: completeHistory(contents).map(withoutMarks), unreadable };
}

/** A file cannot speak for hooks: what it says in their words is told to the model as plain text. */
function withoutMarks(content: Content): Content {
  if (content.role !== "user") return content;
  return { ...content, parts: (content.parts ?? []).map(withoutMarksIn) };
}

function withoutMarksIn(part: Part): Part {
  const { text, functionResponse } = part;
  return {
    ...part,
    ...(typeof text === "string" ? { text: neutralise(text) } : {}),
    ...(functionResponse ? { functionResponse: { ...functionResponse, ...plainResponse(functionResponse) } } : {}),
  };
}

function plainResponse({ response }: NonNullable<Part["functionResponse"]>): Pick<FunctionResponse, "response"> {
  if (response === undefined) return {};
  const plain = Object.entries(response).map(([key, value]) => [
    key,
    typeof value === "string" ? neutralise(value) : value,
  ]);
  return { response: Object.fromEntries(plain) };
}

const others = z.looseObject({ type: z.string() });

/** A line that says nothing about the conversation: the session, its end, or what a newer version writes. */
function isOther(value: unknown): boolean {
  const { data } = others.safeParse(value);
  return data !== undefined && data.type !== "message" && data.type !== "replaced";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknown(id: string, why: string, cause?: unknown): HooklineError {
  return new ProgramError({
    code: "SESSION_UNKNOWN",
    what: `The session ${JSON.stringify(id)} cannot be resumed. ${why}`,
    cause,
  });
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
