import { numberIn, textIn } from "@hookline/journal/program";
import type { Database } from "libsql";

/** Upper bound if the last row cannot be read: more than any table has. */
const BEYOND = 2 ** 40;
/** Bounds the work, whatever is damaged. */
const MOST_ATTEMPTS = 50_000;

/**
 * Copies the readable part of a damaged database into one with empty tables; `from` is its address. Returns the tables
 * that may be incomplete.
 */
export function copyReadable(db: Database, from: string): readonly string[] {
  const tables = rowsOf(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'").map((row) =>
    textIn(row, "name"),
  );
  if (!attempt(() => db.prepare("ATTACH ? AS old").run([from]))) return tables;
  const lost = tables.filter((table) => !attempt(() => copyTable(db, table)));
  return lost.filter((table) => !isLater(db, table));
}

/** Whether a later version than the old database's added the table; then there is nothing to copy. */
function isLater(db: Database, table: string): boolean {
  const version = (schema: string) => numberIn(db.prepare(`PRAGMA ${schema}.user_version`).get(), "user_version");
  try {
    const found = rowsOf(db, "SELECT name FROM old.sqlite_schema WHERE name = ?", [table]);
    return found.length === 0 && version("old") < version("main");
  } catch {
    return false;
  }
}

function copyTable(db: Database, table: string): void {
  const columns = commonColumns(db, table).join(", ");
  const rows = `INTO main.${table} (${columns}) SELECT ${columns} FROM old.${table}`;
  if (hasRowIds(db, table)) copyRanges(db, table, rows);
  else copyFromBothEnds(db, table, rows);
}

/** Throws if there is no such table. Refuses views: they could return anything, without end. */
function commonColumns(db: Database, table: string): readonly string[] {
  const plain = "SELECT rootpage FROM old.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?";
  numberIn(db.prepare(plain).get([table]), "rootpage");
  const sql = `
    SELECT name FROM pragma_table_info(?, 'main')
    WHERE name IN (SELECT name FROM pragma_table_info(?, 'old')) ORDER BY cid`;
  return rowsOf(db, sql, [table, table]).map((row) => textIn(row, "name"));
}

function hasRowIds(db: Database, table: string): boolean {
  const sql = "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?";
  return numberIn(db.prepare(sql).get([table]), "wr") === 0;
}

/**
 * Copies range by range and halves a range that fails, until only the damaged rows are left out. Throws if there are
 * any.
 */
function copyRanges(db: Database, table: string, rows: string): void {
  const copy = db.prepare(`INSERT ${rows} NOT INDEXED WHERE rowid BETWEEN ? AND ? ORDER BY rowid`);
  const open: (readonly [from: number, to: number])[] = [
    [bound(db, table, "min") ?? 0, bound(db, table, "max") ?? BEYOND],
  ];
  let isWhole = true;
  for (let attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
    const range = open.pop();
    if (range === undefined) break;
    const [from, to] = range;
    if (attempt(() => copy.run([from, to]))) continue;
    isWhole = false;
    const middle = Math.floor((from + to) / 2);
    if (from < to) open.push([middle + 1, to], [from, middle]);
  }
  if (!isWhole) throw new Error(`${table} cannot be read completely`);
}

/** The page with the first or last row may be damaged; then the query with a plus makes SQLite use an index instead. */
function bound(db: Database, table: string, which: "min" | "max"): number | undefined {
  for (const sql of [
    `${which}(rowid) AS id FROM old.${table} NOT INDEXED`,
    `${which}(rowid + 0) AS id FROM old.${table}`,
  ]) {
    try {
      const id = numberIn(db.prepare(`SELECT ${sql}`).get(), "id");
      if (Number.isSafeInteger(id)) return id;
    } catch {
      // try the other query
    }
  }
  return undefined;
}

/** Without row ids, copies the rows before and after the damage. Throws if there is damage. */
function copyFromBothEnds(db: Database, table: string, rows: string): void {
  if (attempt(() => db.prepare(`INSERT ${rows}`).run([]))) return;
  const key = "SELECT name FROM pragma_table_info(?, 'main') WHERE pk > 0 ORDER BY pk";
  const keys = rowsOf(db, key, [table]).map((row) => textIn(row, "name"));
  for (const direction of ["ASC", "DESC"]) {
    const order = keys.map((name) => `${name} ${direction}`).join(", ");
    const copy = db.prepare(`INSERT OR IGNORE ${rows} ORDER BY ${order} LIMIT ? OFFSET ?`);
    let copied = 0;
    for (let step = 2 ** 20; step >= 1; step /= 2) {
      if (attempt(() => copy.run([step, copied]))) copied += step;
    }
  }
  throw new Error(`${table} cannot be read completely`);
}

function rowsOf(db: Database, sql: string, values: readonly string[] = []): readonly unknown[] {
  return db.prepare(sql).all(values);
}

function attempt(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
