import type { HookSignal } from "@hookline/engine";
import type { Decision } from "@hookline/engine/program";
import type { CallStatus } from "./turnResult.ts";

/** One run of one hook, as people and programs are told about it. */
export interface HookReport {
  readonly event: string;
  readonly hook: string;
  readonly decision: Decision;
  readonly durationMs: number;
  /** It did not fail; a block is no failure. */
  readonly ok: boolean;
  /** False for hooks that only observe or run in the background: what they answer changes nothing. */
  readonly applied?: false;
}

/** Everything that happens in a session, in order, for whoever shows it or writes it down. */
export type AgentEvent =
  | {
      readonly type: "hook";
      readonly report: HookReport;
      /** What the event is about: a tool's name, a trigger. */
      readonly subject?: string;
      /** Its reason, its message, or why it failed. */
      readonly note?: string;
      /** What it tells the model besides. */
      readonly context?: string;
    }
  /** A hook changed something; told when all hooks of the event have answered. */
  | {
      readonly type: "rewritten";
      readonly event: string;
      readonly hook: string;
      /** `tool_input.command` */
      readonly field: string;
      /** Of a call's arguments only. Of answers and results another hook may withhold what this one left. */
      readonly after?: unknown;
    }
  /** A turn begins: what PromptSubmit hooks suggest for it. */
  | {
      readonly type: "control";
      readonly turn_ready: true;
      readonly source_event: "PromptSubmit";
      readonly hook_signals: readonly HookSignal[];
    }
  /** A piece of the answer, before AfterModel has seen the whole. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  /** The pieces since the last `answer` do not hold: the model is asked again, or a hook withheld or changed them. */
  | { readonly type: "retracted"; readonly why: string }
  /** A message of the model as it stands in the history. */
  | { readonly type: "answer"; readonly text: string; readonly wasStreamed: boolean }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: "toolOutput"; readonly id: string; readonly text: string }
  | {
      readonly type: "toolResult";
      readonly id: string;
      readonly name: string;
      readonly status: CallStatus;
      /** For the person; absent where a hook suppressed it. */
      readonly display?: string;
      readonly blockedBy?: readonly string[];
      readonly durationMs: number;
    }
  | { readonly type: "retry"; readonly reason: string; readonly waitMs: number }
  /** A hook sends the agent back to work. */
  | { readonly type: "sentBack"; readonly reason: string; readonly attempt: number }
  | { readonly type: "compressed"; readonly beforeTokens: number; readonly afterTokens: number }
  | { readonly type: "notice"; readonly text: string };

export type Observer = (event: AgentEvent) => void;
