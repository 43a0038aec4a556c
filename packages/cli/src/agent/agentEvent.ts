import type { HookSignal } from "@hookline/engine";
import type { Decision } from "@hookline/engine/program";
import type { CallStatus } from "./turnResult.ts";

/** The report on a run of a hook, for users and programs. */
export interface HookReport {
  readonly event: string;
  readonly hook: string;
  readonly decision: Decision;
  readonly durationMs: number;
  /** The hook did not fail; a block is not a failure. */
  readonly ok: boolean;
  /** False for hooks that only observe or run in the background: their answers have no effect. */
  readonly applied?: false;
}

/** Everything that happens in a session, in order, for displays and logs. */
export type AgentEvent =
  | {
      readonly type: "hook";
      readonly report: HookReport;
      /** The event's subject: a tool's name, a trigger. */
      readonly subject?: string;
      /** The hook's reason or message, or why it failed. */
      readonly note?: string;
      /** The context that the hook adds for the model. */
      readonly context?: string;
    }
  /** A rewrite; reported when all hooks of the event have answered. */
  | {
      readonly type: "rewritten";
      readonly event: string;
      readonly hook: string;
      /** `tool_input.command` */
      readonly field: string;
      /** Present for arguments of calls only: another hook may withhold what this one left in an answer or result. */
      readonly after?: unknown;
    }
  /** The beginning of a turn, with the suggestions of PromptSubmit hooks. */
  | {
      readonly type: "control";
      readonly turn_ready: true;
      readonly source_event: "PromptSubmit";
      readonly hook_signals: readonly HookSignal[];
    }
  /** A piece of the answer, before AfterModel hooks have seen the whole. */
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thought"; readonly text: string }
  /** Discards the pieces since the last `answer`: the request is repeated, or a hook withheld or changed them. */
  | { readonly type: "retracted"; readonly why: string }
  /** A message of the model as stored in the history. */
  | { readonly type: "answer"; readonly text: string; readonly wasStreamed: boolean }
  | { readonly type: "toolCall"; readonly id: string; readonly name: string; readonly args: unknown }
  | { readonly type: "toolOutput"; readonly id: string; readonly text: string }
  | {
      readonly type: "toolResult";
      readonly id: string;
      readonly name: string;
      readonly status: CallStatus;
      /** Output for the user; absent if a hook suppressed it. */
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
