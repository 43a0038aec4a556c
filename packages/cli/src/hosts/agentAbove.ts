import { basename } from "node:path";
import { sessionAbove } from "../decisions/sessionMarks.ts";
import { ProgramError } from "../errors.ts";
import type { Io } from "../terminal/io.ts";
import type { ProcessFacts } from "../terminal/processes.ts";
import { SEATS } from "./seats.ts";

/** What guards an agent is never changed by what that agent starts. */
export function assertNotBelowAgent(io: Io, command: string): void {
  const session = sessionAbove(io) ?? hostAbove(io.ancestors());
  if (session === undefined) return;
  const what = `\`${command}\` is for a person, but was started in an agent's session (${session}).`;
  throw new ProgramError({ code: "DECISION_REFUSED", what, next: "Type it in your own terminal." });
}

function hostAbove(ancestors: readonly ProcessFacts[]): string | undefined {
  const host = ancestors.find(isHost);
  return host && `process ${host.pid}, ${host.argv.join(" ").slice(0, 100)}`;
}

/** Its program, or a script of its package that an interpreter runs. */
function isHost({ argv }: ProcessFacts): boolean {
  const [program = "", script = ""] = argv;
  return SEATS.some(
    ({ found }) =>
      basename(program) === found.program ||
      basename(script) === found.program ||
      script.includes(`/${found.packageName}/`),
  );
}
