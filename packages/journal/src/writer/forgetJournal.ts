import { rmSync } from "node:fs";
import { join } from "node:path";
import { signCheckpoint } from "../chain/checkpoint.ts";
import { HeadStore } from "../chain/headStore.ts";
import { JOURNAL } from "../records/journalError.ts";
import { readRootRecord } from "../state/rootRecord.ts";
import { filesOf } from "../store/storeFile.ts";
import { openJournalFile } from "./openJournal.ts";

/**
 * Removes the journal in a state folder to free space, and leaves a signed checkpoint, so that `--verify` can tell this
 * from records removed by others.
 */
export function forgetJournal(folder: string, homeDir: string, now: number): void {
  const path = join(folder, JOURNAL.file);
  const root = readRootRecord(folder)?.root;
  const heads = new HeadStore(homeDir);
  try {
    const head = root === undefined ? undefined : heads.findProject(root);
    for (const file of filesOf(path)) rmSync(file, { force: true });
    if (!head || head.n === 0) return;
    const { chain, n, mac } = head;
    const note = { n, mac, at: now, why: "retention" };
    const db = openJournalFile(path);
    try {
      db.prepare("INSERT INTO checkpoints (chain, n, mac, at, why, signature) VALUES (?, ?, ?, ?, ?, ?)").run([
        ...[chain.id, n, mac, now, note.why],
        signCheckpoint(chain, note),
      ]);
    } finally {
      db.close();
    }
  } finally {
    heads.close();
  }
}
