import type { Io } from "../../terminal/io.ts";
import type { AgentEvent, HookReport } from "../agentEvent.ts";
import type { Usage } from "../sessionTotals.ts";
import type { CallReport, TurnResult } from "../turnResult.ts";
import { jsonOutput } from "./jsonOutput.ts";
import { streamOutput } from "./streamOutput.ts";
import { textOutput } from "./textOutput.ts";

export const OUTPUTS = ["text", "json", "stream-json"] as const;
export type OutputName = (typeof OUTPUTS)[number];

/** What a headless run came to. */
export interface RunOutcome extends TurnResult {
  readonly session: string;
  readonly toolCalls: readonly CallReport[];
  readonly hooks: readonly HookReport[];
  readonly usage: Usage;
  /** What was said at the start: hooks that do not run, and why. */
  readonly notices: readonly string[];
}

/** How a headless run is told. Standard output carries the answer; everything else goes to standard error. */
export interface RunOutput {
  /** Whether pieces of an answer can be told and taken back. */
  readonly streams: boolean;
  observe(event: AgentEvent): void;
  /** The turn is over; the session is not. */
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
