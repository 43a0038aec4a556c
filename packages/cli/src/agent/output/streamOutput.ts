import type { Io } from "../../terminal/io.ts";
import { visibleJsonLine } from "../../terminal/visible.ts";
import { outcomeJson } from "./jsonOutput.ts";
import type { RunOutput } from "./runOutput.ts";

/** Prints every event as a JSON line on standard output; the last line is the result. */
export function streamOutput(io: Io): RunOutput {
  const write = (value: object) => io.stdout(`${visibleJsonLine(value)}\n`);
  return {
    streams: true,
    observe: (event) => {
      if (event.type !== "hook") return write(event);
      const { report, type, ...rest } = event;
      write({ type, ...report, ...rest });
    },
    answered: () => {},
    ended: (outcome) => write({ type: "result", ...outcomeJson(outcome) }),
  };
}
