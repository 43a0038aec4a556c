import { pathToFileURL } from "node:url";
import { formFault, isBusy, isDamaged, textIn, versionOf } from "@hookline/journal/program";
import type { Database } from "libsql";
import { error, messageOf, ok, type Trouble } from "../finding.ts";
import type { Store } from "./store.ts";
import type { StoreState } from "./storeFindings.ts";

/** Longer than any write takes. */
const PATIENCE_MS = 1_000;
const MOST_FAULTS = 3;

type Open = (how: string) => Database;

/** Opens it as it is, and sees whether it is whole, of a form that is known, and not locked. */
export async function probeStore(store: Store, { mayWrite }: { readonly mayWrite: boolean }): Promise<StoreState> {
  const { default: SqlDatabase } = await import("libsql");
  const open: Open = (how) => {
    const db = new SqlDatabase(`${pathToFileURL(store.path).href}?${how}`);
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; PRAGMA trusted_schema = OFF`);
    return db;
  };
  try {
    // The form first: to check a table runs what its form says.
    const trouble = using(
      openToRead(open, mayWrite),
      (db) => newer(store, db) ?? misshapen(store, db) ?? faulty(store, db),
    );
    if (trouble) return trouble;
    if (!mayWrite) return readOnly(store);
    using(open("mode=rw"), (db) => db.exec("BEGIN IMMEDIATE; ROLLBACK"));
    return { kind: "usable", findings: [ok("whole, can be read and written", store.path)] };
  } catch (cause) {
    return failed(store, cause);
  }
}

/** Readers share a file with writers, and make it if it is not there. Where we may not, the database is read as it lies. */
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
  const what = `${store.name} was made by a newer hookline (form ${version}, this one knows ${store.forms.length}).`;
  return { kind: "unusable", findings: [trouble(store, what, "Use the newer hookline here, too.")] };
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
  const what = `${store.name} may not be written to.`;
  const next = "Make the file and its folder writable for you; until then, nothing new is kept in it.";
  return { kind: "readOnly", findings: [trouble(store, what, next)] };
}

function failed(store: Store, cause: unknown): StoreState {
  if (isDamaged(cause)) return damaged(store, messageOf(cause));
  if (isBusy(cause)) {
    const next = "Look for a program that hangs, and end it (`fuser` on the file names it); hooks go on meanwhile.";
    return { kind: "usable", findings: [trouble(store, `Another program has locked ${store.name}.`, next)] };
  }
  const what = `${store.name} cannot be opened: ${messageOf(cause)}`;
  return { kind: "unusable", findings: [trouble(store, what, "Check the rights and the space around it.")] };
}

function trouble({ path }: Store, what: string, next: string): Trouble {
  return error({ what, file: path, next });
}
