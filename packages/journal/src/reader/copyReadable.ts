import type { Database } from "libsql";
import { numberIn, textIn } from "../store/columns.ts";

/** Where the last row cannot be read: more than any table has. */
const BEYOND = 2 ** 40;
/** Whatever is damaged, it ends. */
const MOST_ATTEMPTS = 50_000;

/**
 * Copies what can be read of a damaged database into one that has its tables, and nothing in them; `from` is its address. Returns the
 * tables of which something may be missing.
 */
export function copyReadable(db: Database, from: string): readonly string[] {
  const tables = rowsOf(db, "SELECT name FROM main.sqlite_schema WHERE type = 'table'").map((row) =>
    textIn(row, "name"),
  );
  if (!attempt(() => db.prepare("ATTACH ? AS old").run([from]))) return tables;
  const lost = tables.filter((table) => !attempt(() => copyTable(db, table)));
  return lost.filter((table) => !isLater(db, table));
}

/** Whether the table came with a later version than that of the old database, which has nothing to copy then. */
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

/** Throws where there is no such table. A view could bring anything, and never end. */
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

/** Range by range: one that cannot be copied is halved, until what is damaged is left alone. Throws if that was anything. */
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
  if (!isWhole) throw new Error(`something of ${table} cannot be read`);
}

/** The page it is on may be the damaged one; then an index knows it, which the plus makes SQLite go through. */
function bound(db: Database, table: string, which: "min" | "max"): number | undefined {
  for (const sql of [
    `${which}(rowid) AS id FROM old.${table} NOT INDEXED`,
    `${which}(rowid + 0) AS id FROM old.${table}`,
  ]) {
    try {
      const id = numberIn(db.prepare(`SELECT ${sql}`).get(), "id");
      if (Number.isSafeInteger(id)) return id;
    } catch {
      // the other may do
    }
  }
  return undefined;
}

/** Without numbers for rows, there is only what comes before the damage, and what comes after it. Throws if there is any. */
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
  throw new Error(`something of ${table} cannot be read`);
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
