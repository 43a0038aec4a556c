import type { Config } from "@hookline/engine";
import type { Journal } from "@hookline/journal";
import type { ContentGenerator } from "../models/contentGenerator.ts";
import type { RetryPolicy } from "../models/retries.ts";
import type { Tool, ToolContext } from "../tools/tool.ts";
import type { Observer } from "./agentEvent.ts";
import type { ApprovalMode, Approver } from "./approver.ts";
import type { History } from "./history.ts";
import type { Notes } from "./notes.ts";
import type { SessionTotals } from "./sessionTotals.ts";

/** The parts that sessions share. */
export interface Agent {
  readonly config: Config;
  readonly generator: ContentGenerator;
  readonly model: string;
  readonly retryPolicy?: RetryPolicy;
  readonly systemInstruction: string;
  readonly projectRoot: string;
  readonly tools: readonly Tool[];
  readonly toolContext: ToolContext;
  /** Undefined if there is no user to ask. */
  readonly approver: Approver | undefined;
  readonly approvalMode: () => ApprovalMode;
  readonly observe: Observer;
  /** Whether pieces of an answer are shown before AfterModel hooks have seen the whole: only if the display can retract them. */
  readonly streams: boolean;
  /** Records the turns, tools and requests of a session besides its hooks. */
  readonly journal?: Journal;
  /** The limit above which the conversation is compressed. */
  readonly compressAtTokens: number;
}

/** A running session. */
export interface AgentState extends Agent {
  readonly history: History;
  readonly notes: Notes;
  readonly totals: SessionTotals;
}
