import type { Seat } from "./seat.ts";

/** How long hooks may take, and how long a person may take to answer. Codex trusts a command line as it is: a change here asks everybody again. */
const VERDICT_MS = 600_000;
const PERSON_MS = 3_600_000;
/** For starting the client, and for the host's timer. */
const MARGIN_MS = 5_000;
const MARGIN_SHARE = 6;

export interface Deadlines {
  /** What the host is told: it waits at least until the client has answered. */
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  readonly askDeadlineMs: number;
}

/** The client must answer before the host gives up on it: most hosts then let the tool run. */
export function deadlinesOf({ timeout }: Pick<Seat, "timeout">, event: string, canAsk: boolean): Deadlines {
  const mostMs = timeout.mostMs[event] ?? PERSON_MS;
  const timeoutMs = Math.min(canAsk ? PERSON_MS : VERDICT_MS, mostMs);
  return { timeoutMs, deadlineMs: within(Math.min(VERDICT_MS, timeoutMs)), askDeadlineMs: within(timeoutMs) };
}

function within(timeoutMs: number): number {
  return timeoutMs - Math.min(MARGIN_MS, timeoutMs / MARGIN_SHARE);
}
