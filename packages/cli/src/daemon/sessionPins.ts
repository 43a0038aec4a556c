import { readFileSync } from "node:fs";
import { fingerprint } from "@hookline/engine/program";
import { replaceOwnFile } from "@hookline/journal/program";
import { z } from "zod";
import type { ServedProject } from "./servedProject.ts";

export interface HostSession {
  readonly host: string;
  readonly id: string;
}

/** A guard that was removed or changed since the session began. */
export interface LostGuard {
  readonly name: string;
  readonly event: string;
}

const pinned = z.object({
  at: z.number(),
  root: z.string(),
  guards: z.array(z.object({ name: z.string(), event: z.string(), print: z.string() })),
});
const file = z.record(z.string(), pinned);
type Pinned = z.infer<typeof pinned>;

/** A program below an agent can invent sessions: so many that those of a person are not forgotten. */
const MOST_SESSIONS = 5_000;

/**
 * The guards that each session of an agent began with, in the user's folder: a daemon that was killed, or ended because it was idle, must not
 * come back with fewer. While the daemon runs, the hook system itself notices changes.
 */
export class SessionPins {
  readonly #path: string;
  readonly #onNotice: (text: string) => void;
  /** Sessions that this daemon has compared, by project. */
  readonly #compared = new WeakMap<ServedProject, Set<string>>();

  constructor(path: string, onNotice: (text: string) => void) {
    this.#path = path;
    this.#onNotice = onNotice;
  }

  /** Pins a new session; for an old one, names the guards that it has lost. */
  lostGuards(session: HostSession, served: ServedProject): readonly LostGuard[] {
    const key = keyOf(session, served);
    if (this.#comparedIn(served).has(key)) return [];
    const known = this.#read()[key];
    const prints = new Set(guardsOf(served).map(({ print }) => print));
    const lost = known?.guards.filter(({ print }) => !prints.has(print)) ?? [];
    if (lost.length === 0) this.pin(session, served);
    return lost;
  }

  /** The project that a session was last seen in. */
  rootOf(session: HostSession): string | undefined {
    const of = Object.entries(this.#read()).filter(([key]) => key.startsWith(keyStart(session)));
    return of.toSorted(([, one], [, other]) => other.at - one.at)[0]?.[1].root;
  }

  /** Records the current guards as the session's: it is new, or a person agreed. */
  pin(session: HostSession, served: ServedProject): void {
    const key = keyOf(session, served);
    const all = { ...this.#read(), [key]: { at: Date.now(), root: served.root, guards: guardsOf(served) } };
    const newest = Object.entries(all).toSorted(([, one], [, other]) => other.at - one.at);
    this.#comparedIn(served).add(key);
    try {
      replaceOwnFile(this.#path, JSON.stringify(Object.fromEntries(newest.slice(0, MOST_SESSIONS))));
    } catch (error) {
      this.#onNotice(`The guards of sessions cannot be recorded: ${error instanceof Error ? error.message : error}`);
    }
  }

  #comparedIn(served: ServedProject): Set<string> {
    const compared = this.#compared.get(served) ?? new Set();
    this.#compared.set(served, compared);
    return compared;
  }

  #read(): Readonly<Record<string, Pinned>> {
    try {
      return file.parse(JSON.parse(readFileSync(this.#path, "utf8")));
    } catch {
      return {}; // not there yet, or not ours
    }
  }
}

function guardsOf({ guards }: ServedProject): Pinned["guards"] {
  return guards.map((hook) => ({ name: hook.name, event: hook.eventName, print: fingerprint(hook) }));
}

function keyOf(session: HostSession, { root }: ServedProject): string {
  return `${keyStart(session)}${JSON.stringify(root)}]`;
}

function keyStart({ host, id }: HostSession): string {
  return `[${JSON.stringify(host)},${JSON.stringify(id)},`;
}
