import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
} from "node:fs";
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
  const draft = `${path}.repaired-${randomUUID()}`;
  const aside = asideOf(path, now);
  // Create it with owner-only permissions before it has content.
  closeSync(openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
  try {
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
 * In this order: with a second hard link, the damaged database is refused by programs that open it now, so none creates
 * a WAL file that would be replayed into the new one. There is no moment in which another program could create one.
 */
function exchange(path: string, draft: string, { aside, isEmpty }: Exchange): void {
  keep(path, aside);
  for (const [index, file] of filesOf(path).entries()) {
    if (index > 0 && existsSync(file)) renameSync(file, filesOf(aside)[index] ?? aside);
  }
  if (isEmpty) rmSync(path);
  else renameSync(draft, path);
}

/** Never replaces a file: another repair may have chosen the same name. */
function keep(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    copyFileSync(path, aside, constants.COPYFILE_EXCL); // a file system without hard links
  }
}
