import { readFileSync } from "node:fs";
import { replaceOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import type { HostCall } from "./hostCall.ts";

const seenHost = z.object({
  host: z.string(),
  calls: z.number(),
  lastAt: z.number(),
  lastEvent: z.string(),
  unknownEvents: z.array(z.string()),
});

/** What an agent was last seen doing. Events that our table for it does not know are let through. */
export type SeenHost = Readonly<z.infer<typeof seenHost>>;

/** How the sessions of our own trial calls begin. They say nothing about the agent. */
export const CANARY_SESSION = "hookline-canary";

const MOST_UNKNOWN = 20;
const WRITTEN_EVERY_MS = 60_000;

/** Which agents have called, for `hookline status`; kept in a file, because the daemon ends when nothing happens. */
export class SeenCalls {
  readonly #file: string;
  readonly #hosts: Map<string, SeenHost>;
  readonly #writtenAt = new Map<string, number>();

  constructor(file: string) {
    this.#file = file;
    this.#hosts = new Map(readSeen(file).map((seen) => [seen.host, seen]));
  }

  get all(): readonly SeenHost[] {
    return [...this.#hosts.values()];
  }

  add({ request: { host, event }, decoded, session }: HostCall): void {
    if (session.startsWith(`${CANARY_SESSION}-`)) return;
    const { calls = 0, unknownEvents = [] } = this.#hosts.get(host) ?? {};
    const isNew = decoded.kind === "unknown" && !unknownEvents.includes(event) && unknownEvents.length < MOST_UNKNOWN;
    this.#hosts.set(host, {
      host,
      calls: calls + 1,
      lastAt: Date.now(),
      lastEvent: event,
      unknownEvents: isNew ? [...unknownEvents, event] : unknownEvents,
    });
    if (Date.now() - (this.#writtenAt.get(host) ?? 0) < WRITTEN_EVERY_MS) return;
    this.#writtenAt.set(host, Date.now());
    this.write();
  }

  write(): void {
    try {
      replaceOwnFile(this.#file, JSON.stringify(this.all));
    } catch {
      // Only `status` knows less.
    }
  }
}

/** As the last daemon left it. */
export function readSeen(file: string): readonly SeenHost[] {
  try {
    return z.array(seenHost).parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return []; // not there yet, or not ours
  }
}
