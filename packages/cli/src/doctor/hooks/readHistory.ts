import {
  dayOf,
  type EventStats,
  eventStats,
  type HookStats,
  hookStats,
  type JournalReader,
  type LastOutcome,
  lastOutcomes,
  openJournalReader,
  type StatePlace,
} from "@hookline/journal";
import { z } from "zod";

const LAST_DAYS = 7;
const DAY_MS = 86_400_000;
const MANY_EVENTS = 100;

/** What the journal knows of hooks. */
export interface History {
  readonly last: readonly LastOutcome[];
  /** Of the last 7 days. */
  readonly stats: readonly HookStats[];
  /** Of all days. */
  readonly events: readonly EventStats[];
  /** It goes back far enough, or has enough in it, that a hook that is not in it has missed something. */
  readonly isTelling: boolean;
}

export const NO_HISTORY: History = { last: [], stats: [], events: [], isTelling: false };

export async function readHistory(place: StatePlace, now: number): Promise<History> {
  const reader = await openJournalReader(place);
  if (!reader) return NO_HISTORY;
  try {
    const events = eventStats(reader, 0);
    const matched = events.reduce((sum, event) => sum + event.matched, 0);
    return {
      last: lastOutcomes(reader),
      stats: hookStats(reader, { fromDay: dayOf(now) - LAST_DAYS + 1 }),
      events,
      isTelling: matched > MANY_EVENTS || beganAt(reader, now) < now - DAY_MS,
    };
  } finally {
    reader.close();
  }
}

const beginning = z.object({ at: z.number() });

function beganAt(reader: JournalReader, now: number): number {
  return reader.rows(beginning, "SELECT at FROM records ORDER BY at LIMIT 1")[0]?.at ?? now;
}
