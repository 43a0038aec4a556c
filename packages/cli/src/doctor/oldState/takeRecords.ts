import type { StatePlace } from "@hookline/journal";
import {
  CHECKPOINTS,
  formFault,
  genuine,
  HeadStore,
  inTransaction,
  JOURNAL_FORMS,
  numberIn,
  openJournal,
  readCheckpoint,
} from "@hookline/journal/program";
import type { Database } from "libsql";

const COLUMNS =
  "id, chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body, written, prev, mac";

/**
 * Imports the records that the user's key for this project verifies, with their numbers and signatures, in front of
 * newer ones. Counters are not signed, so they restart.
 */
export function takeRecords(old: Database, place: StatePlace): number {
  const fault = formFault(old, JOURNAL_FORMS);
  if (fault !== undefined) throw new Error(fault);
  const heads = new HeadStore(place.homeDir);
  const db = openJournal(place);
  try {
    const { chain } = heads.ofProject(place.projectRoot);
    return inTransaction(db, () => {
      copyCheckpoints(old, db, chain);
      return copyRecords(old, db, chain);
    });
  } finally {
    db.close();
    heads.close();
  }
}

type Chain = ReturnType<HeadStore["ofProject"]>["chain"];

function copyRecords(old: Database, db: Database, chain: Chain): number {
  const insert = db.prepare(`INSERT OR IGNORE INTO records (${COLUMNS}) VALUES (${COLUMNS.replaceAll(/\w+/g, "?")})`);
  const shift = bound(db, "min(id)", 1) - bound(old, "max(id)", 0) - 1;
  let taken = 0;
  for (const row of old.prepare("SELECT * FROM records WHERE chain = ? ORDER BY n").iterate([chain.id])) {
    const record = genuine(chain, row);
    if (!record) continue;
    const { id, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body } = record;
    const columns = [at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body];
    const { changes } = insert.run([id + shift, chain.id, n, ...columns, record.written, record.prev, record.mac]);
    taken += changes;
  }
  return taken;
}

/** Checkpoints mark records that were removed on purpose. */
function copyCheckpoints(old: Database, db: Database, chain: Chain): void {
  const insert = db.prepare(
    "INSERT OR IGNORE INTO checkpoints (chain, n, mac, at, why, signature) SELECT ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM checkpoints WHERE chain = ? AND n >= ?)",
  );
  for (const row of old.prepare(CHECKPOINTS).all([chain.id])) {
    const { n, mac, at, why, signature, isGenuine } = readCheckpoint(chain, row);
    if (isGenuine) insert.run([chain.id, n, mac, at, why, signature, chain.id, n]);
  }
}

function bound(db: Database, what: string, none: number): number {
  return numberIn(db.prepare(`SELECT coalesce(${what}, ${none}) AS id FROM records`).get(), "id");
}
