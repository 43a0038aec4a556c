import type { Database } from "libsql";
import { numberIn, textIn } from "../../journal/columns.ts";

/** What is wrong with the form of a database, compared with one that was just made: a table or a column, the version, or code in it. */
export function formFault(db: Database, made: Database): string | undefined {
  const found = tablesOf(db);
  if (versionOf(db) === 0) return found.size === 0 ? undefined : "it has tables, and no version";
  for (const [table, columns] of tablesOf(made)) {
    const has = found.get(table);
    if (has === undefined) return `the table ${table} is missing`;
    const column = [...columns].find((name) => !has.has(name));
    if (column !== undefined) return `the column ${column} of ${table} is missing`;
  }
  // Ours has nothing that runs when something is written, and is not used if it has.
  const code = "SELECT count(*) AS found FROM sqlite_schema WHERE type IN ('trigger', 'view')";
  return numberIn(db.prepare(code).get(), "found") === 0 ? undefined : "it has triggers or views";
}

function tablesOf(db: Database): ReadonlyMap<string, ReadonlySet<string>> {
  const rows: unknown[] = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0").all();
  const columns = db.prepare("SELECT name FROM pragma_table_info(?)");
  return new Map(
    rows.map((row) => {
      const table = textIn(row, "name");
      return [table, new Set(columns.all([table]).map((column: unknown) => textIn(column, "name")))];
    }),
  );
}

function versionOf(db: Database): number {
  return numberIn(db.prepare("PRAGMA user_version").get(), "user_version");
}
