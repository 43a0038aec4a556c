import { pathToFileURL } from "node:url";
import type { Database } from "libsql";
import { numberIn } from "../../journal/columns.ts";
import { createJournal } from "../../journal/journalSchema.ts";

const RECORD_COLUMNS =
  "id, chain, n, at, kind, session, turn, event_id, event, subject, hook, outcome, duration_us, body, mac";
/** Made from the records, or few. */
const OTHER_TABLES = ["checkpoints", "hook_days", "hook_latency", "hook_last", "event_days"];
/** Where the last id cannot be read: more than any journal has. */
const BEYOND = 2 ** 40;
/** Whatever is damaged, it ends. */
const MOST_ATTEMPTS = 50_000;

export interface Salvaged {
  readonly records: number;
  /** A table other than the records could not be read. */
  readonly countsLost: boolean;
}

/** Copies what can be read of a damaged journal into a new file. */
export async function salvage(damaged: string, draft: string): Promise<Salvaged> {
  const { default: SqlDatabase } = await import("libsql");
  const db = new SqlDatabase(draft);
  try {
    db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF");
    createJournal(db);
    if (!attach(db, damaged)) return { records: 0, countsLost: true };
    copyRecords(db);
    const lost = OTHER_TABLES.filter((table) => !copyTable(db, table));
    const records = numberIn(db.prepare("SELECT count(*) AS records FROM main.records").get(), "records");
    return { records, countsLost: lost.length > 0 };
  } finally {
    db.close();
  }
}

function attach(db: Database, damaged: string): boolean {
  return attempt(() => {
    db.prepare("ATTACH ? AS old").run([`${pathToFileURL(damaged).href}?mode=ro`]);
    expectPlain(db, "records");
  });
}

/** A view could bring anything, and never end. */
function expectPlain(db: Database, table: string): void {
  const plain = "SELECT rootpage FROM old.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?";
  numberIn(db.prepare(plain).get([table]), "rootpage");
}

function copyTable(db: Database, table: string): boolean {
  return attempt(() => {
    expectPlain(db, table);
    db.exec(`INSERT INTO main.${table} SELECT * FROM old.${table}`);
  });
}

/** Range by range: one that cannot be copied is halved, until what is damaged is left alone. */
function copyRecords(db: Database): void {
  const copy = db.prepare(`
    INSERT INTO main.records (${RECORD_COLUMNS})
    SELECT ${RECORD_COLUMNS} FROM old.records NOT INDEXED WHERE id BETWEEN ? AND ? ORDER BY id`);
  const open: (readonly [from: number, to: number])[] = [[bound(db, "min") ?? 0, bound(db, "max") ?? BEYOND]];
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const range = open.pop();
    if (range === undefined) return;
    const [from, to] = range;
    if (attempt(() => copy.run([from, to])) || from >= to) continue;
    const middle = Math.floor((from + to) / 2);
    open.push([middle + 1, to], [from, middle]);
  }
}

function bound(db: Database, which: "min" | "max"): number | undefined {
  try {
    const id = numberIn(db.prepare(`SELECT ${which}(id) AS id FROM old.records NOT INDEXED`).get(), "id");
    return Number.isSafeInteger(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

function attempt(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
