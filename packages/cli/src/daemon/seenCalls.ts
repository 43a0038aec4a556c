import type { HostCall } from "./hostCall.ts";

/** What an agent was last seen doing. */
export interface SeenHost {
  readonly host: string;
  readonly calls: number;
  readonly lastAt: number;
  readonly lastEvent: string;
  /** Events that our table for the agent does not know: they are let through. */
  readonly unknownEvents: readonly string[];
}

const MOST_UNKNOWN = 20;

/** Which agents have called, for `hookline status`. */
export class SeenCalls {
  readonly #hosts = new Map<string, SeenHost>();

  get all(): readonly SeenHost[] {
    return [...this.#hosts.values()];
  }

  add({ request: { host, event }, decoded }: HostCall): void {
    const { calls = 0, unknownEvents = [] } = this.#hosts.get(host) ?? {};
    const isNew = decoded.kind === "unknown" && !unknownEvents.includes(event) && unknownEvents.length < MOST_UNKNOWN;
    this.#hosts.set(host, {
      host,
      calls: calls + 1,
      lastAt: Date.now(),
      lastEvent: event,
      unknownEvents: isNew ? [...unknownEvents, event] : unknownEvents,
    });
  }
}
