import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { GenerateContentResponse } from "@google/genai";
import type { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";
import { throwIfBlocked } from "./blocked.ts";
import type { ContentGenerator, ModelMethod } from "./contentGenerator.ts";
import { type RecordedAnswer, readAnswer } from "./recordedAnswer.ts";
import { responseFrom } from "./response.ts";

/** Answers from a file: in order for each method, whatever the request. */
export async function openReplay(file: string, cwd: string): Promise<ContentGenerator> {
  const answers = await readAnswers(file, cwd);
  const next = { generateContent: 0, generateContentStream: 0 };

  const take = (method: ModelMethod): readonly GenerateContentResponse[] => {
    const known = answers.filter((answer) => answer.method === method);
    const answer = known[next[method]++];
    if (!answer) throw exhausted(file, method, known.length);
    const chunks = answer.chunks.map(responseFrom);
    chunks.forEach(throwIfBlocked);
    return chunks;
  };

  return {
    async generateContent(_request, signal) {
      signal?.throwIfAborted();
      return take("generateContent")[0] ?? responseFrom({});
    },
    async *generateContentStream(_request, signal) {
      signal?.throwIfAborted();
      for (const chunk of take("generateContentStream")) {
        yield chunk;
        signal?.throwIfAborted();
      }
    },
  };
}

async function readAnswers(file: string, cwd: string): Promise<readonly RecordedAnswer[]> {
  const text = await readFile(resolve(cwd, file), "utf8").catch((cause: Error) => {
    const what = `The recorded answers cannot be read: ${cause.message}.`;
    throw new ProgramError({ code: "FILE_UNUSABLE", where: { file }, what, cause });
  });
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap((line, index) => (isEmpty(line) ? [] : [readAnswer(line, { file, line: index + 1 })]));
}

function isEmpty(line: string): boolean {
  const text = line.trim();
  return text === "" || text.startsWith("//");
}

function exhausted(file: string, method: ModelMethod, count: number): HooklineError {
  const answers = count === 1 ? "1 answer" : `${count} answers`;
  const what = `The agent sent more requests than there are recorded answers: the file has ${answers} to ${method}.`;
  return new ProgramError({ code: "REPLAY_EXHAUSTED", where: { file }, what });
}
