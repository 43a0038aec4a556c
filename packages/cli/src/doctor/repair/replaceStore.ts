import { closeSync, constants, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { filesOf } from "@hookline/journal/program";
import type { Salvaged } from "./salvage.ts";

export interface Replaced extends Salvaged {
  /** New name of the damaged file. */
  readonly aside: string;
}

/** Moves a damaged store aside and replaces it with the records that `salvage` returns. */
export async function replaceStore(
  path: string,
  now: number,
  salvage: (damaged: string, draft: string) => Promise<Salvaged>,
): Promise<Replaced> {
  const draft = `${path}.repaired-${process.pid}`;
  const aside = asideOf(path, now);
  try {
    // Create it with owner-only permissions before it has content.
    closeSync(openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
    const salvaged = await salvage(path, draft);
    flush(draft);
    exchange(path, draft, { aside, isEmpty: salvaged.records === 0 });
    return { ...salvaged, aside: basename(aside) };
  } finally {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  }
}

/** `journal.db.damaged-2025-11-16T09-23-43` */
function asideOf(path: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  const free = [`${path}.damaged-${time}`, `${path}.damaged-${time}-${process.pid}`].find((name) => !existsSync(name));
  if (free === undefined) throw new Error("every name it could be moved to is taken");
  return free;
}

/** The draft was written with synchronous = OFF. */
function flush(draft: string): void {
  const descriptor = openSync(draft, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

interface Exchange {
  readonly aside: string;
  /** Nothing was saved; the next writer creates a new store. */
  readonly isEmpty: boolean;
}

/**
 * Moves the database last: without it, another process would create a new one, beside the WAL file of the damaged one.
 * The draft then replaces it in one step, so that there is no moment without a database.
 */
function exchange(path: string, draft: string, { aside, isEmpty }: Exchange): void {
  for (const [index, file] of filesOf(path).entries()) {
    if (index > 0 && existsSync(file)) renameSync(file, filesOf(aside)[index] ?? aside);
  }
  if (isEmpty) {
    renameSync(path, aside);
    return;
  }
  try {
    linkSync(path, aside);
  } catch (error) {
    if (existsSync(aside)) throw error;
    renameSync(path, aside); // a file system without hard links
  }
  renameSync(draft, path);
}
