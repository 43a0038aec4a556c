import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { visible, visibleLines } from "../../terminal/visible.ts";
import type { RunOutput } from "./runOutput.ts";
import { statusView } from "./statusView.ts";

/** Prints only the answer on standard output. */
export function textOutput(io: Io): RunOutput {
  return {
    streams: false,
    observe: statusWriter(io),
    answered: ({ response }) => {
      if (response) io.stdout(`${io.stdoutIsTTY ? visibleLines(response).join("\n") : response}\n`);
    },
    ended: ({ end, session }) => {
      const { red, dim } = colours(io);
      if (end.kind === "stopped") {
        const { event, hook, reason } = end.by;
        io.stderr(
          `${red(`■ stopped at ${event}`)}${hook ? ` by ${visible(hook)}` : ""}: ${visibleLines(reason).join("\n")}\n`,
        );
      }
      if (io.stderrIsTTY) io.stderr(dim(`session ${session}\n`));
    },
  };
}

export function statusWriter(io: Io): RunOutput["observe"] {
  return (event) => {
    for (const line of statusView(event, io)) io.stderr(`${line}\n`);
  };
}
