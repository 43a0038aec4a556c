import { readFileSync } from "node:fs";
import type { Content } from "@google/genai";
import { HooklineError } from "@hookline/engine";
import { z } from "zod";
import { completeHistory } from "./completeHistory.ts";
import { isSessionId, transcriptPath } from "./transcript.ts";

const content = z.looseObject({ role: z.string().exactOptional(), parts: z.array(z.looseObject({})) });
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

/** The conversation of an earlier session. */
export function readTranscript(projectRoot: string, id: string): PastSession {
  if (!isSessionId(id)) throw unknown(id, "That is no id of a session.");
  const file = transcriptPath(projectRoot, id);
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    throw unknown(id, `There is no transcript of it that can be read (${file}).`, error);
  }
  let contents: readonly Content[] = [];
  let unreadable = 0;
  for (const written of text.split("\n")) {
    if (written === "") continue;
    const value = parse(written);
    if (value === undefined) unreadable += 1;
    const read = line.safeParse(value).data;
    if (read?.type === "message") contents = [...contents, read.content];
    if (read?.type === "replaced") contents = read.contents;
  }
  return { contents: completeHistory(contents), unreadable };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unknown(id: string, why: string, cause?: unknown): HooklineError {
  return new HooklineError({
    code: "SESSION_UNKNOWN",
    what: `The session ${JSON.stringify(id)} cannot be resumed. ${why}`,
    cause,
  });
}
