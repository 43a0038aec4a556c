import type { HookOutput } from "../hooks/answer/hookOutput.ts";
import type { HookError } from "../hooks/merge/hookAggregator.ts";

export const MessageBusType = {
  HOOK_EXECUTION_REQUEST: "hook-execution-request",
  HOOK_EXECUTION_RESPONSE: "hook-execution-response",
} as const;

export type MessageBusType = (typeof MessageBusType)[keyof typeof MessageBusType];

/** Asks for an event to be fired. */
export interface HookExecutionRequest {
  readonly type: typeof MessageBusType.HOOK_EXECUTION_REQUEST;
  /** Comes back in the response. */
  readonly correlationId: string;
  readonly eventName: string;
  /** The fields of the event. What is a fact of the session (`session_id`, `cwd`, …) is not taken from here. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What the event came to. */
export interface HookExecutionResponse {
  readonly type: typeof MessageBusType.HOOK_EXECUTION_RESPONSE;
  /** Empty where the request had none that could be read. */
  readonly correlationId: string;
  readonly result: HookExecutionOutcome;
}

/** An `AggregatedHookResult` as plain JSON; `createHookOutput` makes an output class of its `finalOutput` again. */
export interface HookExecutionOutcome {
  readonly success: boolean;
  readonly finalOutput?: HookOutput;
  readonly allOutputs: readonly Readonly<Record<string, unknown>>[];
  readonly errors: readonly HookError[];
  readonly totalDuration: number;
}

/** Every message by its type. All are plain JSON, so that a bus may have a wire in it. */
export interface BusMessages {
  readonly [MessageBusType.HOOK_EXECUTION_REQUEST]: HookExecutionRequest;
  readonly [MessageBusType.HOOK_EXECUTION_RESPONSE]: HookExecutionResponse;
}

export type BusMessage = BusMessages[MessageBusType];
