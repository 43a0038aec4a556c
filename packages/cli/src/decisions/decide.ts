import { randomUUID } from "node:crypto";
import type { HooklineError } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { ProgramError } from "../errors.ts";
import { recordApproval } from "../journal/recordApproval.ts";
import type { Io } from "../terminal/io.ts";
import type { ProcessFacts } from "../terminal/processes.ts";
import { sessionAbove } from "./sessionMarks.ts";
import { keepUnattended } from "./unattended.ts";

export interface Decision {
  /** As typed: `hookline trust`. */
  readonly command: string;
  /** Details for the journal. */
  readonly about: Readonly<Record<string, unknown>>;
  /** The caller named exactly what it agrees to, as `trust --expect` does. */
  readonly isExpected?: boolean;
  /** Advice if there is no terminal. */
  readonly instead?: string;
}

/**
 * Call this before a command does something that only a person may do. Requires a terminal, or the user's setting that
 * allows decisions without one, and always refuses below an agent's session. Records a decision without a terminal
 * first.
 */
export async function assertMayDecide(io: Io, loaded: LoadedSettings, decision: Decision): Promise<void> {
  const { command, isExpected = false, instead } = decision;
  assertNotBelowSession(io, command);
  if (io.hasTerminal()) return;
  if (!isExpected && !loaded.approvals.withoutTerminal) throw withoutTerminal(command, instead);
  await keepRecord(io, loaded, decision);
}

/** The part of it that holds for everything which an agent must never do to its own guards. */
export function assertNotBelowSession(io: Io, command: string): void {
  const session = sessionAbove(io);
  if (session !== undefined) throw belowSession(command, session);
}

async function keepRecord(io: Io, loaded: LoadedSettings, { command, about }: Decision): Promise<void> {
  const processes = io.ancestors().map(asText);
  keepUnattended(io.homeDir, { command, projectRoot: loaded.projectRoot, at: new Date().toISOString(), processes });
  await recordApproval(io, loaded, {
    callId: randomUUID(),
    subject: command,
    input: { ...about, processes },
    approved: true,
    reason: "decided without a terminal",
    by: "nobody",
    hooks: [],
    durationMs: 0,
  });
}

const MOST_CHARACTERS = 200;

function asText({ pid, argv }: ProcessFacts): string {
  return `${pid} ${argv.join(" ")}`.replaceAll(/\s+/g, " ").slice(0, MOST_CHARACTERS);
}

/** What an agent's process is told. */
export function belowSession(command: string, session: string): HooklineError {
  const what = `\`${command}\` is for a person, but was started in an agent's session (${session}).`;
  return new ProgramError({ code: "DECISION_REFUSED", what, next: "Type it in your own terminal." });
}

function withoutTerminal(command: string, instead: string | undefined): HooklineError {
  const what = `\`${command}\` is for a person at a terminal, but there is no terminal.`;
  return new ProgramError({ code: "DECISION_REFUSED", what, ...(instead === undefined ? {} : { next: instead }) });
}
