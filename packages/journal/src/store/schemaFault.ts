import type { Database } from "libsql";
import { maybeTextIn, numberIn, textIn } from "./columns.ts";

/** Many times as many as ours has. */
const MOST_ENTRIES = 500;

/**
 * What is wrong with the form of a database that says that it is of one of our versions, or of none yet. One of a newer version is not
 * looked at. `forms` has the statements that make each version, from version 1 on.
 */
export function formFault(db: Database, forms: readonly string[]): string | undefined {
  // In this order: the tables and the version are made together, maybe between the two questions.
  const entries = numberIn(db.prepare("SELECT count(*) AS entries FROM sqlite_schema").get(), "entries");
  const found = versionOf(db);
  if (found <= 0) return entries === 0 ? undefined : "it has tables, and no version";
  const create = forms[found - 1];
  return create === undefined ? undefined : schemaFault(db, create);
}

export function versionOf(db: Database): number {
  return numberIn(db.prepare("PRAGMA user_version").get(), "user_version");
}

/**
 * What in a database is not as our own statements make it, word for word; undefined where it is. SQLite runs code that a file brings along:
 * triggers, views, CHECKs, generated columns, defaults and indexes over expressions. Ours has none that it does not have here.
 */
function schemaFault(db: Database, create: string): string | undefined {
  const sql = `SELECT type, name, tbl_name, sql FROM sqlite_schema LIMIT ${MOST_ENTRIES}`;
  const rows: readonly unknown[] = db.prepare(sql).all();
  const found = rows.map((row) => ({ ...entryIn(row), text: maybeTextIn(row, "sql") }));
  const ours = new Map(statementsIn(create).map((statement) => [nameIn(statement), statement]));
  const names = new Set(found.map(({ name }) => name));
  for (const [name, statement] of ours) {
    if (!names.has(name)) return `the ${kindOf(statement)} ${name} is missing`;
  }
  for (const { type, name, table, text } of found) {
    if (type === "trigger" || type === "view") return "it has triggers or views";
    // SQLite makes these for primary keys and unique columns.
    if (text === null && type === "index" && ours.has(table)) continue;
    if (text !== ours.get(name)) return `the ${type} ${name} is not as hookline makes it`;
  }
  return undefined;
}

function entryIn(row: unknown) {
  return { type: textIn(row, "type"), name: textIn(row, "name"), table: textIn(row, "tbl_name") };
}

/** As SQLite keeps them: from CREATE up to the semicolon. */
function statementsIn(create: string): readonly string[] {
  const statements = create.split(";").map((statement) => statement.trim());
  return statements.filter((statement) => statement.startsWith("CREATE "));
}

function nameIn(statement: string): string {
  return /^CREATE (?:UNIQUE )?(?:TABLE|INDEX) (\w+)/.exec(statement)?.[1] ?? "";
}

function kindOf(statement: string): string {
  return statement.startsWith("CREATE TABLE") ? "table" : "index";
}
