import type { StatePlace } from "@hookline/journal";
import { JOURNAL, makeStoreFile } from "@hookline/journal/program";
import { counted } from "../../terminal/table.ts";
import { replaceStore } from "./replaceStore.ts";
import { salvage } from "./salvage.ts";

/**
 * Moves a damaged journal aside and replaces it with everything that could be read, in order and with its signatures,
 * so that `--verify` reports the unreadable part as a gap.
 */
export async function repairJournal(place: StatePlace, now: number): Promise<string> {
  const path = makeStoreFile(place, JOURNAL);
  const { aside, records, countsLost } = await replaceStore(path, now, salvage);
  const counts = records > 0 && countsLost ? "; some of its counters restart" : "";
  return `the journal was moved to ${aside}, and ${counted(records, "record")} saved${counts}`;
}
