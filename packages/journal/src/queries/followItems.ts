import { lstatSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type JournalReader, openJournalReader } from "../reader/journalReader.ts";
import { JOURNAL } from "../records/journalError.ts";
import type { StatePlace } from "../state/statePlace.ts";
import { storePath } from "../store/storeFile.ts";
import type { LogFilter } from "./logFilter.ts";
import { type LogItem, logItems } from "./logItems.ts";
import { idsBetween, lastId, newestIds } from "./logQuery.ts";

const POLL_MS = 200;

interface Followed {
  readonly filter: LogFilter;
  /** How many of the existing items to start with. */
  readonly limit: number;
  readonly signal: AbortSignal;
}

/**
 * Yields the items of the log and every new one until the signal aborts, even if the journal is created or recreated in
 * the meantime.
 */
export async function* followItems(place: StatePlace, followed: Followed): AsyncGenerator<readonly LogItem[]> {
  const path = storePath(place, JOURNAL);
  let feed: Feed | undefined;
  let isFirst = true;
  try {
    while (!followed.signal.aborted) {
      const inode = inodeOf(path);
      if (feed && feed.inode !== inode) feed = closed(feed);
      if (inode !== undefined) feed ??= await openFeed(place, inode);
      if (feed) yield* isFirst ? feed.newest(followed) : feed.added(followed);
      isFirst = false;
      if (feed?.reader.damage) throw feed.reader.damage;
      await setTimeout(POLL_MS, undefined, { signal: followed.signal }).catch(() => undefined);
    }
  } finally {
    feed?.reader.close();
  }
}

class Feed {
  readonly reader: JournalReader;
  readonly inode: number;
  #seen = 0;

  constructor(reader: JournalReader, inode: number) {
    this.reader = reader;
    this.inode = inode;
  }

  *newest({ filter, limit }: Followed): Generator<readonly LogItem[]> {
    this.#seen = lastId(this.reader);
    yield* logItems(this.reader, newestIds(this.reader, filter, { upTo: this.#seen }, limit));
  }

  *added({ filter }: Followed): Generator<readonly LogItem[]> {
    const [after, upTo] = [this.#seen, lastId(this.reader)];
    if (upTo <= after) return;
    this.#seen = upTo;
    yield* logItems(this.reader, idsBetween(this.reader, filter, { after, upTo }));
  }
}

async function openFeed(place: StatePlace, inode: number): Promise<Feed | undefined> {
  const reader = await openJournalReader(place);
  return reader && new Feed(reader, inode);
}

function closed({ reader }: Feed): undefined {
  reader.close();
}

function inodeOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.ino;
}
