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

/** What stays the same from one session to the next. */
export interface Agent {
  readonly config: Config;
  readonly generator: ContentGenerator;
  readonly model: string;
  readonly retryPolicy?: RetryPolicy;
  readonly systemInstruction: string;
  readonly projectRoot: string;
  readonly tools: readonly Tool[];
  readonly toolContext: ToolContext;
  /** Undefined where nobody can be asked. */
  readonly approver: Approver | undefined;
  readonly approvalMode: () => ApprovalMode;
  readonly observe: Observer;
  /** Whether pieces of an answer are shown before AfterModel has seen the whole: only where they can be taken back. */
  readonly streams: boolean;
  /** Where the turns, tools and requests of a session are written down, beside its hooks. */
  readonly journal?: Journal;
  /** The conversation is compressed when it has more tokens. */
  readonly compressAtTokens: number;
}

/** A session under way. */
export interface AgentState extends Agent {
  readonly history: History;
  readonly notes: Notes;
  readonly totals: SessionTotals;
}
