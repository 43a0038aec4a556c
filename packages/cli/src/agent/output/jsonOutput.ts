import { describeError } from "../../terminal/errorReport.ts";
import type { Io } from "../../terminal/io.ts";
import { visibleJson } from "../../terminal/visible.ts";
import type { RunOutcome, RunOutput } from "./runOutput.ts";
import { statusWriter } from "./textOutput.ts";

/** Prints one JSON object on standard output at the end. */
export function jsonOutput(io: Io): RunOutput {
  return {
    streams: false,
    observe: statusWriter(io),
    answered: () => {},
    ended: (outcome) => io.stdout(`${visibleJson(outcomeJson(outcome))}\n`),
  };
}

export function outcomeJson({ response, end, toolCalls, hooks, usage, session, notices }: RunOutcome) {
  return {
    response,
    ...(end.kind === "stopped" ? { stopped: end.by } : {}),
    ...(end.kind === "cancelled" ? { cancelled: true } : {}),
    ...(end.kind === "failed" ? { error: describeError(end.error) } : {}),
    ...(notices.length > 0 ? { notices } : {}),
    toolCalls,
    hooks,
    usage,
    session,
  };
}
