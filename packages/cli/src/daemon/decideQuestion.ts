import { assertMayDecide, belowSession } from "../decisions/decide.ts";
import { ProgramError } from "../errors.ts";
import { readSettings } from "../project/readSettings.ts";
import { ExitCode } from "../terminal/exitCode.ts";
import type { Io } from "../terminal/io.ts";
import { visible, visibleJson } from "../terminal/visible.ts";
import { askDaemon } from "./askDaemon.ts";
import { decidedSchema } from "./controlSchemas.ts";

interface PersonsDecision {
  readonly id: string;
  readonly approved: boolean;
  readonly reason: string;
  readonly json: boolean;
}

/** `approve` and `deny`: the first answer to a question counts. */
export async function decideQuestion(io: Io, { id, approved, reason, json }: PersonsDecision): Promise<number> {
  const command = `hookline ${approved ? "approve" : "deny"}`;
  await assertMayDecide(io, await readSettings(io), { command, about: { id } });
  const decided = await askDaemon(io.homeDir, { ask: "decide", id, approved, reason }, decidedSchema);
  if (decided?.kind === "refused") throw belowSession(command, decided.session);
  if (decided?.kind !== "decided") {
    const what = `There is no open question ${JSON.stringify(visible(id))}: it was answered, or its time is over.`;
    throw new ProgramError({ code: "QUESTION_UNKNOWN", what });
  }
  io.stdout(`${json ? visibleJson({ id, approved }) : approved ? "Approved." : "Denied."}\n`);
  return ExitCode.ok;
}
