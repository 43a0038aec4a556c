import type { Content, FunctionResponse, Part } from "@google/genai";
import type { HooklineError } from "@hookline/engine";
import { errorText, neutralise } from "@hookline/engine/program";
import type { StatePlace } from "@hookline/journal";
import { readOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import { ProgramError } from "../errors.ts";
import { completeHistory } from "./completeHistory.ts";
import { isSessionId, transcriptPath } from "./transcript.ts";

/** Larger than any session that fits a model. */
const MOST_BYTES = 128 * 1024 ** 2;

/** The only roles that hookline writes: a line with the role of the system is a forgery. */
const content = z.looseObject({ role: z.enum(["user", "model"]), parts: z.array(z.looseObject({})) });
const line = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("message"), content }),
  z.looseObject({ type: z.literal("replaced"), contents: z.array(content) }),
]);

export interface PastSession {
  /** A complete conversation for a model, even if the session was interrupted. */
  readonly contents: readonly Content[];
  /** Number of unreadable lines: a crash may truncate one. */
  readonly unreadable: number;
}

/** Reads the conversation of an earlier session, from the user's own folder only. */
export function readTranscript(place: StatePlace, id: string): PastSession {
  if (!isSessionId(id)) throw unknown(id, "This is not the id of a session.");
  const file = transcriptPath(place, id);
  let text: string;
  try {
    text = readOwnFile(file, MOST_BYTES);
  } catch (error) {
    throw unknown(id, `Its transcript cannot be read (${file}: ${errorText(error)}).`, error);
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

/** Neutralises the markers of hooks: a file must not be able to imitate their context. */
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

/** A line that is not part of the conversation: the session, its end, or a type of a newer version. */
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
