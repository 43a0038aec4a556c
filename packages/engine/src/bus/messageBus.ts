import type {
  BusMessage,
  BusMessages,
  HookExecutionRequest,
  HookExecutionResponse,
  MessageBusType,
} from "./messages.ts";

/** A request before it is sent; without a `correlationId` it gets one. */
export type HookRequest = Pick<HookExecutionRequest, "eventName" | "payload"> &
  Partial<Pick<HookExecutionRequest, "type" | "correlationId">>;

export interface RequestOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Carries messages between parts that do not know each other. */
export interface MessageBus {
  /** Never throws: who listens, and what becomes of it, is no business of the publisher. */
  publish(message: BusMessage): void;
  /** Answers the undoing of it. */
  subscribe<Type extends MessageBusType>(type: Type, listener: (message: BusMessages[Type]) => void): () => void;
  /** Publishes a request and waits for its response; rejects with a `HooklineError` where none comes. */
  request(request: HookRequest, options?: RequestOptions): Promise<HookExecutionResponse>;
  /** Ends all subscriptions and rejects what is waited for. */
  dispose(): void;
}
