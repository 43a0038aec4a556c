import { pathToFileURL } from "node:url";
import { errorText } from "@hookline/engine/program";
import { formFault, isBusy, isDamaged, textIn, versionOf } from "@hookline/journal/program";
import type { Database } from "libsql";
import { error, ok, type Trouble } from "../finding.ts";
import type { Store } from "./store.ts";
import type { StoreState } from "./storeFindings.ts";

/** Longer than any write takes. */
const PATIENCE_MS = 1_000;
const MOST_FAULTS = 3;

type Open = (how: string) => Database;

/** Checks that a store is intact, has a known schema and is not locked, without changing it. */
export async function probeStore(store: Store, { mayWrite }: { readonly mayWrite: boolean }): Promise<StoreState> {
  const { default: SqlDatabase } = await import("libsql");
  const open: Open = (how) => {
    const db = new SqlDatabase(`${pathToFileURL(store.path).href}?${how}`);
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA trusted_schema = OFF`);
    return db;
  };
  try {
    // Check the schema first: checking a table runs expressions from its schema.
    const trouble = using(
      openToRead(open, mayWrite),
      (db) => newer(store, db) ?? misshapen(store, db) ?? faulty(store, db),
    );
    if (trouble) return trouble;
    if (!mayWrite) return readOnly(store);
    using(open("mode=rw"), (db) => db.exec("BEGIN IMMEDIATE; ROLLBACK"));
    return { kind: "usable", findings: [ok("intact, readable and writable", store.path)] };
  } catch (cause) {
    return failed(store, cause);
  }
}

/**
 * A reader shares a -shm file with writers and creates it if missing. Without permission for that, read the database as
 * immutable.
 */
function openToRead(open: Open, mayWrite: boolean): Database {
  return open(mayWrite ? "mode=ro" : "mode=ro&immutable=1");
}

function using<Result>(db: Database, work: (db: Database) => Result): Result {
  try {
    return work(db);
  } finally {
    db.close();
  }
}

function newer(store: Store, db: Database): StoreState | undefined {
  const version = versionOf(db);
  if (version <= store.forms.length) return undefined;
  const what = `${store.name} was created by a newer hookline (schema ${version}, this one knows ${store.forms.length}).`;
  return { kind: "unusable", findings: [trouble(store, what, "Use the newer hookline here as well.")] };
}

function faulty(store: Store, db: Database): StoreState | undefined {
  const rows = db.prepare(`PRAGMA quick_check(${MOST_FAULTS})`).all();
  const faults = rows.map((row) => textIn(row, "quick_check")).filter((text) => text !== "ok");
  return faults.length === 0 ? undefined : damaged(store, faults.join("; "));
}

function misshapen(store: Store, db: Database): StoreState | undefined {
  const fault = formFault(db, store.forms);
  return fault === undefined ? undefined : damaged(store, fault);
}

function damaged(store: Store, why: string): StoreState {
  return { kind: "damaged", findings: [trouble(store, `${store.name} is damaged (${why}).`, store.ifDamaged)] };
}

function readOnly(store: Store): StoreState {
  const what = `${store.name} is not writable.`;
  const next = "Make the file and its folder writable for you; until then, nothing new is stored in it.";
  return { kind: "readOnly", findings: [trouble(store, what, next)] };
}

function failed(store: Store, cause: unknown): StoreState {
  if (isDamaged(cause)) return damaged(store, errorText(cause));
  if (isBusy(cause)) {
    const next = "Find the program that hangs and end it (`fuser` on the file names it); hooks run in the meantime.";
    return { kind: "usable", findings: [trouble(store, `Another program has locked ${store.name}.`, next)] };
  }
  const what = `${store.name} cannot be opened: ${errorText(cause)}`;
  return { kind: "unusable", findings: [trouble(store, what, "Check its permissions and the free disk space.")] };
}

function trouble({ path }: Store, what: string, next: string): Trouble {
  return error({ what, file: path, next });
}
