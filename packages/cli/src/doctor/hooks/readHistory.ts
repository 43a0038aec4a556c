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

/** The journal's data about hooks. */
export interface History {
  readonly last: readonly LastOutcome[];
  /** For the last 7 days. */
  readonly stats: readonly HookStats[];
  /** For the whole journal. */
  readonly events: readonly EventStats[];
  /** Whether the journal is old or large enough that a hook missing from it is suspicious. */
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
