import { closeSync, constants, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs";
import { basename } from "node:path";
import { filesOf, underLock } from "@hookline/journal/program";
import type { Salvaged } from "./salvage.ts";

export interface Replaced extends Salvaged {
  /** The name of the old file. */
  readonly aside: string;
}

/** Puts a damaged store aside, and a new one in its place with what `salvage` saves of it. */
export async function replaceStore(
  path: string,
  now: number,
  salvage: (damaged: string, draft: string) => Promise<Salvaged>,
): Promise<Replaced> {
  const draft = `${path}.repaired-${process.pid}`;
  const aside = asideOf(path, now);
  try {
    // Readable by its owner only, before anything is in it.
    closeSync(openSync(draft, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
    const salvaged = await salvage(path, draft);
    flush(draft);
    // What takes long is done by now; the lock, which everybody who makes a store respects, is not kept for long.
    underLock(path, () => exchange(path, draft, { aside, isEmpty: salvaged.records === 0 }));
    return { ...salvaged, aside: basename(aside) };
  } finally {
    for (const file of [draft, `${draft}-journal`]) rmSync(file, { force: true });
  }
}

/** `journal.db.damaged-2025-11-16T09-23-43` */
function asideOf(path: string, now: number): string {
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(":", "-");
  const free = [`${path}.damaged-${time}`, `${path}.damaged-${time}-${process.pid}`].find((name) => !existsSync(name));
  if (free === undefined) throw new Error("there are files of every name under which it could be put aside");
  return free;
}

/** It was written without waiting for the disk, statement by statement. */
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
  /** Nothing was saved; whoever writes next makes a new one. */
  readonly isEmpty: boolean;
}

/** The database first: while it is not there, nobody opens what is beside it without the lock. */
function exchange(path: string, draft: string, { aside, isEmpty }: Exchange): void {
  for (const [index, file] of filesOf(path).entries()) {
    if (existsSync(file)) renameSync(file, filesOf(aside)[index] ?? aside);
  }
  if (!isEmpty) renameSync(draft, path);
}
