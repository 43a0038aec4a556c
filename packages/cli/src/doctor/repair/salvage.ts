import { pathToFileURL } from "node:url";
import { createHeads, createJournal, numberIn } from "@hookline/journal/program";
import type { Database } from "libsql";
import { copyReadable } from "./copyReadable.ts";

/** A store, and the table in it that cannot be rebuilt from the others. */
interface Form {
  readonly create: (db: Database) => void;
  readonly table: string;
}

const JOURNAL_FORM: Form = { create: createJournal, table: "records" };
const KEYS_FORM: Form = { create: createHeads, table: "heads" };

export interface Salvaged {
  readonly records: number;
  /** Another table could not be read. */
  readonly countsLost: boolean;
}

/** Copies the readable part of a damaged journal into a new file. */
export function salvage(damaged: string, draft: string): Promise<Salvaged> {
  return salvageStore(damaged, draft, JOURNAL_FORM);
}

/** The same for the journal key store. */
export function salvageKeys(damaged: string, draft: string): Promise<Salvaged> {
  return salvageStore(damaged, draft, KEYS_FORM);
}

async function salvageStore(damaged: string, draft: string, { create, table }: Form): Promise<Salvaged> {
  const { default: SqlDatabase } = await import("libsql");
  const db = new SqlDatabase(draft);
  try {
    db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF");
    create(db);
    const incomplete = copyReadable(db, `${pathToFileURL(damaged).href}?mode=ro`);
    const records = numberIn(db.prepare(`SELECT count(*) AS records FROM main.${table}`).get(), "records");
    return { records, countsLost: incomplete.some((one) => one !== table) };
  } finally {
    db.close();
  }
}
