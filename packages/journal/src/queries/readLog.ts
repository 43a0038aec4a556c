import type { JournalReader } from "../reader/journalReader.ts";
import type { LogFilter } from "./logFilter.ts";
import { type LogItem, logItems } from "./logItems.ts";
import { lastId, newestIds } from "./logQuery.ts";

/** The newest lines of the log, oldest first. They are read as they are asked for. */
export function* readLog(reader: JournalReader, filter: LogFilter, limit: number): Generator<LogItem> {
  for (const items of logItems(reader, newestIds(reader, filter, { upTo: lastId(reader) }, limit))) yield* items;
}
