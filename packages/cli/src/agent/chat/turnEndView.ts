import { colours } from "../../terminal/colour.ts";
import { reportError } from "../../terminal/errorReport.ts";
import type { Io } from "../../terminal/io.ts";
import { visible, visibleLines } from "../../terminal/visible.ts";
import type { TurnEnd } from "../turnResult.ts";

/** Shows the end of a turn, unless it ended with an answer. */
export function turnEndView(end: TurnEnd, io: Io): string[] {
  const { red, yellow } = colours(io);
  switch (end.kind) {
    case "finished":
      return [];
    case "cancelled":
      return [yellow("⊘ cancelled")];
    case "stopped": {
      const { event, hook, reason } = end.by;
      const [first = "", ...more] = visibleLines(reason);
      return [`${red(`■ stopped at ${event}`)}${hook ? ` by ${visible(hook)}` : ""}: ${first}`, ...more];
    }
    case "failed":
      return errorLines(end.error, io);
  }
}

function errorLines(error: unknown, io: Io): string[] {
  let report = "";
  const stderr = (text: string) => {
    report += text;
  };
  reportError(error, { ...io, stderr }, { json: false });
  return report.trimEnd().split("\n");
}
