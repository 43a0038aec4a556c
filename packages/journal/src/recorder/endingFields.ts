import type { Ending } from "@hookline/engine/program";
import type { RunEntry } from "../records/entry.ts";

type Fields = Pick<RunEntry, "exitCode" | "signal" | "stdout" | "stderr" | "output">;

/** The fields of an ending that the journal keeps. */
export function endingFields(ending: Ending): Fields {
  switch (ending.kind) {
    case "exited":
      return { exitCode: ending.code, stdout: ending.stdout, stderr: ending.stderr };
    case "killed":
      return { signal: ending.signal, stdout: ending.stdout, stderr: ending.stderr };
    case "timedOut":
    case "aborted":
    case "answeredTwice":
      return { stdout: ending.stdout, stderr: ending.stderr };
    case "notStarted":
    case "noCapacity":
      return { stderr: ending.cause.message };
    case "returned":
    case "overran":
      return ending.value === undefined ? {} : { output: ending.value };
    case "threw":
      return { stderr: String(ending.error instanceof Error ? (ending.error.stack ?? ending.error) : ending.error) };
    case "answered":
      return { output: ending.value, stderr: ending.stderr };
    case "reported":
    case "cutOff":
      return { output: ending.line, stderr: ending.stderr };
    case "died": {
      const { exitCode, signal, stderr } = ending;
      return {
        ...(exitCode === undefined ? {} : { exitCode }),
        ...(signal === undefined ? {} : { signal }),
        stderr,
      };
    }
    case "responded":
      return { exitCode: ending.status, output: ending.body };
  }
}
