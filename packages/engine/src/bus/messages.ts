import type { HookOutput } from "../hooks/answer/hookOutput.ts";
import type { HookError } from "../hooks/merge/hookAggregator.ts";

export const MessageBusType = {
  HOOK_EXECUTION_REQUEST: "hook-execution-request",
  HOOK_EXECUTION_RESPONSE: "hook-execution-response",
} as const;

export type MessageBusType = (typeof MessageBusType)[keyof typeof MessageBusType];

/** Makes the names types, too, as an enum does. */
export declare namespace MessageBusType {
  type HOOK_EXECUTION_REQUEST = "hook-execution-request";
  type HOOK_EXECUTION_RESPONSE = "hook-execution-response";
}

/** A request to fire an event. */
export interface HookExecutionRequest {
  readonly type: typeof MessageBusType.HOOK_EXECUTION_REQUEST;
  /** Returned in the response. */
  readonly correlationId: string;
  readonly eventName: string;
  /** The fields of the event. Facts of the session (`session_id`, `cwd`, …) are not taken from here. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** The result of the event. */
export interface HookExecutionResponse {
  readonly type: typeof MessageBusType.HOOK_EXECUTION_RESPONSE;
  /** Empty if the request had no readable one. */
  readonly correlationId: string;
  readonly result: HookExecutionOutcome;
}

/** An `AggregatedHookResult` as plain JSON; `createHookOutput` turns its `finalOutput` back into an output class. */
export interface HookExecutionOutcome {
  readonly success: boolean;
  readonly finalOutput?: HookOutput;
  readonly allOutputs: readonly Readonly<Record<string, unknown>>[];
  readonly errors: readonly HookError[];
  readonly totalDuration: number;
}

/** Every message by its type. All are plain JSON, so that a bus may send them over a network. */
export interface BusMessages {
  readonly [MessageBusType.HOOK_EXECUTION_REQUEST]: HookExecutionRequest;
  readonly [MessageBusType.HOOK_EXECUTION_RESPONSE]: HookExecutionResponse;
}

export type BusMessage = BusMessages[MessageBusType];
