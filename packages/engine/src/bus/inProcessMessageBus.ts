import { randomUUID } from "node:crypto";
import { HooklineError } from "../errors.ts";
import { debug } from "../hooks/record/debugLine.ts";
import type { HookRequest, MessageBus, RequestOptions } from "./messageBus.ts";
import { type BusMessage, type BusMessages, type HookExecutionResponse, MessageBusType } from "./messages.ts";
import { PendingRequests } from "./pendingRequests.ts";

type Listeners = { readonly [Type in MessageBusType]: Set<Subscription<BusMessages[Type]>> };

/** Wrapped in an object, so that a function may subscribe twice. */
interface Subscription<Message> {
  readonly listener: (message: Message) => unknown;
}

/** A bus within one process. Delivers messages synchronously, in the order of subscription. */
export class InProcessMessageBus implements MessageBus {
  readonly #listeners: Listeners = {
    [MessageBusType.HOOK_EXECUTION_REQUEST]: new Set(),
    [MessageBusType.HOOK_EXECUTION_RESPONSE]: new Set(),
  };
  readonly #pending = new PendingRequests();
  #disposed = false;

  publish(message: BusMessage): void {
    if (this.#disposed) return;
    switch (message?.type) {
      case MessageBusType.HOOK_EXECUTION_REQUEST:
        deliver(this.#listeners[message.type], message);
        break;
      case MessageBusType.HOOK_EXECUTION_RESPONSE:
        this.#pending.answer(message);
        deliver(this.#listeners[message.type], message);
    }
  }

  subscribe<Type extends MessageBusType>(type: Type, listener: (message: BusMessages[Type]) => void): () => void {
    if (this.#disposed) throw disposed();
    const listeners = this.#listeners[type];
    const subscription = { listener };
    listeners.add(subscription);
    return () => void listeners.delete(subscription);
  }

  async request(
    { eventName, payload, correlationId = randomUUID() }: HookRequest,
    options: RequestOptions = {},
  ): Promise<HookExecutionResponse> {
    const type = MessageBusType.HOOK_EXECUTION_REQUEST;
    if (this.#disposed) throw disposed();
    if (this.#listeners[type].size === 0) {
      throw new HooklineError({ code: "BUS_UNANSWERED", what: "No handler answers hook requests on this bus." });
    }
    const response = this.#pending.expect(correlationId, options);
    this.publish({ type, correlationId, eventName, payload });
    return response;
  }

  dispose(): void {
    this.#disposed = true;
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
    this.#pending.rejectAll(disposed());
  }
}

/** Delivers to the current listeners, except those that unsubscribe before their turn. */
function deliver<Message>(listeners: Set<Subscription<Message>>, message: Message): void {
  for (const subscription of [...listeners]) {
    if (listeners.has(subscription)) tell(subscription, message);
  }
}

function tell<Message>({ listener }: Subscription<Message>, message: Message): void {
  const failed = (error: unknown) => debug("a bus listener failed: %s", error);
  try {
    const listening = listener(message);
    if (listening instanceof Promise) listening.catch(failed);
  } catch (error) {
    failed(error);
  }
}

function disposed(): HooklineError {
  return new HooklineError({ code: "BUS_DISPOSED", what: "The message bus was disposed of." });
}
