import { ProgramError } from "../errors.ts";
import type { Io } from "../terminal/io.ts";

interface Agreement {
  readonly question: string;
  /** Said yes to on the command line. */
  readonly yes: boolean;
  readonly json: boolean;
  readonly command: string;
  /** Advice where there is no terminal. */
  readonly next: string;
}

/** Asks before files of agents are written. */
export async function isAgreed(io: Io, { question, yes, json, command, next }: Agreement): Promise<boolean> {
  if (yes) return true;
  if (io.interactive && !json) return io.confirm(question);
  const what = `\`${command}\` asks before it writes, and there is no terminal to ask at.`;
  throw new ProgramError({ code: "DECISION_REFUSED", what, next });
}
