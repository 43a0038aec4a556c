import type { Io } from "../../terminal/io.ts";
import type { AgentEvent, HookReport } from "../agentEvent.ts";
import type { Usage } from "../sessionTotals.ts";
import type { CallReport, TurnResult } from "../turnResult.ts";
import { jsonOutput } from "./jsonOutput.ts";
import { streamOutput } from "./streamOutput.ts";
import { textOutput } from "./textOutput.ts";

export const OUTPUTS = ["text", "json", "stream-json"] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** The result of a headless run. */
export interface RunOutcome extends TurnResult {
  readonly session: string;
  readonly toolCalls: readonly CallReport[];
  readonly hooks: readonly HookReport[];
  readonly usage: Usage;
  /** Notices from the start: hooks that do not run, and why. */
  readonly notices: readonly string[];
}

/** The output of a headless run. The answer goes to standard output, everything else to standard error. */
export interface RunOutput {
  /** Whether it can show pieces of an answer and retract them. */
  readonly streams: boolean;
  observe(event: AgentEvent): void;
  /** Called at the end of the turn, before the end of the session. */
  answered(outcome: RunOutcome): void;
  ended(outcome: RunOutcome): void;
}

export type OutputMaker = (io: Io) => RunOutput;

const MAKERS: Readonly<Record<OutputName, OutputMaker>> = {
  text: textOutput,
  json: jsonOutput,
  "stream-json": streamOutput,
};

export function runOutput(name: OutputName, io: Io): RunOutput {
  return MAKERS[name](io);
}
