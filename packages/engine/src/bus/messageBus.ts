import type {
  BusMessage,
  BusMessages,
  HookExecutionRequest,
  HookExecutionResponse,
  MessageBusType,
} from "./messages.ts";

/** A request before it is sent; gets a `correlationId` if it has none. */
export type HookRequest = Pick<HookExecutionRequest, "eventName" | "payload"> &
  Partial<Pick<HookExecutionRequest, "type" | "correlationId">>;

export interface RequestOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Carries messages between decoupled parts. */
export interface MessageBus {
  /** Never throws: a failing listener does not affect the publisher. */
  publish(message: BusMessage): void;
  /** Returns the function that unsubscribes. */
  subscribe<Type extends MessageBusType>(type: Type, listener: (message: BusMessages[Type]) => void): () => void;
  /** Publishes a request and waits for its response; rejects with a `HooklineError` if none comes. */
  request(request: HookRequest, options?: RequestOptions): Promise<HookExecutionResponse>;
  /** Ends all subscriptions and rejects pending requests. */
  dispose(): void;
}
