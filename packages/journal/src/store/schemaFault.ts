import type { Database } from "libsql";
import { maybeTextIn, numberIn, textIn } from "./columns.ts";

/** Far more than our schema has. */
const MOST_ENTRIES = 500;

/**
 * Compares the schema of a database with the version it claims, or with an empty one if it has none yet. Skips
 * databases of newer versions. `forms` has the statements that create each version, starting with version 1.
 */
export function formFault(db: Database, forms: readonly string[]): string | undefined {
  // In this order: tables and version are created together, possibly between the two queries.
  const entries = numberIn(db.prepare("SELECT count(*) AS entries FROM sqlite_schema").get(), "entries");
  const found = versionOf(db);
  if (found <= 0) return entries === 0 ? undefined : "it has tables but no version";
  const create = forms[found - 1];
  return create === undefined ? undefined : schemaFault(db, create);
}

export function versionOf(db: Database): number {
  return numberIn(db.prepare("PRAGMA user_version").get(), "user_version");
}

/**
 * Compares every statement of the schema with ours, word for word; undefined if they are equal. SQLite runs code from a
 * database file: triggers, views, CHECKs, generated columns, defaults and expression indexes. So the file must contain
 * only those that we create.
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
    // SQLite creates these for primary keys and unique columns.
    if (text === null && type === "index" && ours.has(table)) continue;
    if (text !== ours.get(name)) return `the ${type} ${name} is not as hookline creates it`;
  }
  return undefined;
}

function entryIn(row: unknown) {
  return { type: textIn(row, "type"), name: textIn(row, "name"), table: textIn(row, "tbl_name") };
}

/** As SQLite stores them: from CREATE up to the semicolon. */
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
