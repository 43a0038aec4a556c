import type { ProcessEnding } from "@hookline/engine/process";
import { tailOf } from "../../terminal/cutText.ts";
import { type AbilityAnswer, failed } from "../abilityResult.ts";
import { readAnswer } from "./readAnswer.ts";

const SHOWN_STDERR_CHARS = 4_000;

type Ending = Exclude<ProcessEnding, { readonly kind: "aborted" }>;

/** Converts the ending of a script to an answer. */
export function readEnding(ending: Ending, projectRoot: string): AbilityAnswer {
  switch (ending.kind) {
    case "exited": {
      const answer = readAnswer(ending.stdout, { projectRoot, isCut: ending.stdoutTruncated });
      if (ending.code === 0) return answer;
      // Keep its output; the exit code overrides its status.
      const why = `It exited with code ${ending.code}.${said(ending.stderr)}`;
      return { ...answer, status: "failure", error: why };
    }
    case "killed":
      return failed(`It was killed by ${ending.signal}.${said(ending.stderr)}`, ending.stdout);
    case "timedOut":
      return failed(`It took longer than ${ending.afterMs} ms and was killed.${said(ending.stderr)}`, ending.stdout);
    case "notStarted":
      return failed(`It could not be started: ${ending.cause.message}`);
  }
}

function said(stderr: string): string {
  const text = tailOf(stderr.trim(), SHOWN_STDERR_CHARS);
  return text === "" ? "" : `\n${text}`;
}
