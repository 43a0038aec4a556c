import { type LastOutcome, lastOutcomes, openJournalReader, type StatePlace } from "@hookline/journal";
import { lastByHook } from "@hookline/journal/program";
import { lastJson, lastText } from "../journal/views/statsView.ts";
import { colours } from "../terminal/colour.ts";
import { describeError } from "../terminal/errorReport.ts";
import type { Io } from "../terminal/io.ts";
import { lookOf } from "../terminal/outcome.ts";
import type { Cell } from "../terminal/table.ts";
import { visible } from "../terminal/visible.ts";

interface Bearer {
  readonly name: string;
  readonly source: string;
}

/** The last known outcome of each hook. */
export interface LastList {
  readonly cell: (hook: Bearer) => Cell;
  readonly json: (hook: Bearer) => object | null;
}

/** An unreadable journal must not prevent the list: report it on standard error. */
export async function listLast(place: StatePlace, io: Io): Promise<LastList> {
  const { all, isWhole } = await readAll(place, io);
  const lastOf = lastByHook(all);
  const paint = colours(io);
  const now = Date.now();
  return {
    cell: (hook) => {
      const last = lastOf(hook);
      if (last) return { text: lastText(last, now), style: paint[lookOf(last.outcome).colour] };
      return { text: isWhole ? "never" : "unknown", style: paint.dim };
    },
    json: (hook) => {
      const last = lastOf(hook);
      return last ? lastJson(last) : null;
    },
  };
}

interface Known {
  readonly all: readonly LastOutcome[];
  readonly isWhole: boolean;
}

async function readAll(place: StatePlace, io: Io): Promise<Known> {
  try {
    const reader = await openJournalReader(place);
    if (!reader) return { all: [], isWhole: true };
    try {
      const all = lastOutcomes(reader);
      if (reader.damage) tell(reader.damage, io);
      return { all, isWhole: reader.damage === undefined };
    } finally {
      reader.close();
    }
  } catch (error) {
    tell(error, io);
    return { all: [], isWhole: false };
  }
}

function tell(error: unknown, io: Io): void {
  const { where, what, next } = describeError(error);
  io.stderr(
    `${colours(io).yellow(`! ${visible([where ? `${where}:` : "", what, next].filter(Boolean).join(" "))}`)}\n`,
  );
}
