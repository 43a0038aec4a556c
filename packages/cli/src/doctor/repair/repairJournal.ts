import type { StatePlace } from "@hookline/journal";
import { JOURNAL, makeStoreFile } from "@hookline/journal/program";
import { counted } from "../../terminal/table.ts";
import { replaceStore } from "./replaceStore.ts";
import { salvage } from "./salvage.ts";

/**
 * Puts a damaged journal aside, and a new one with everything that could be read of it in its place: in order, with its signatures,
 * so that what could not be read is a gap that `--verify` shows.
 */
export async function repairJournal(place: StatePlace, now: number): Promise<string> {
  const path = makeStoreFile(place, JOURNAL);
  const { aside, records, countsLost } = await replaceStore(path, now, salvage);
  const counts = records > 0 && countsLost ? "; some of its counts begin anew" : "";
  return `the journal was put aside as ${aside}, and ${counted(records, "record")} of it saved${counts}`;
}
