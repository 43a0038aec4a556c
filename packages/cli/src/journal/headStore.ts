import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import SqlDatabase, { type Database, type Statement } from "libsql";
import { inTransaction } from "../store/inTransaction.ts";
import { openOnce } from "../store/storeFile.ts";
import type { Chain, Link } from "./chain.ts";
import { bytesIn, numberIn, textIn } from "./columns.ts";
import { isBusy, journalError } from "./journalError.ts";

/** Only to be opened; whoever moves an end waits by itself. */
const PATIENCE_MS = 2_000;

const CREATE = `
  CREATE TABLE heads (
    chain TEXT PRIMARY KEY,
    project TEXT NOT NULL UNIQUE,
    key BLOB NOT NULL,
    n INTEGER NOT NULL,
    mac BLOB NOT NULL
  ) STRICT;
  PRAGMA user_version = 1;
`;

/** A chain with its end as it was last acknowledged. */
export interface Head extends Link {
  readonly chain: Chain;
  /** The project it belongs to, by its real path. */
  readonly project: string;
}

export function headsPath(homeDir: string): string {
  return join(homeDir, ".hookline", "journals.db");
}

/**
 * The keys and the ends of all journals that this user writes, in the user's own folder: whoever can write to a project can
 * change its journal, but neither sign what they wrote nor hide that its end is gone.
 */
export class HeadStore {
  readonly #db: Database;
  #advance: Statement | undefined;

  constructor(homeDir: string) {
    const path = headsPath(homeDir);
    try {
      mkdirSync(join(homeDir, ".hookline"), { recursive: true });
      this.#db = openOnce(path, () => prepared(new SqlDatabase(path)));
    } catch (error) {
      if (isBusy(error)) throw error;
      throw journalError(path, error); // it is not the journal itself that is wrong
    }
  }

  /** Makes one where there is none yet. */
  ofProject(projectRoot: string): Head {
    const project = realpathSync(projectRoot);
    const known = this.#find("project", project);
    if (known) return known;
    const insert = this.#db.prepare(
      "INSERT INTO heads (chain, project, key, n, mac) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING",
    );
    inTransaction(this.#db, () => insert.run([randomUUID(), project, randomBytes(32), Buffer.alloc(32)]));
    const made = this.#find("project", project);
    if (!made) throw new Error("The head of a journal is gone");
    return made;
  }

  find(chain: string): Head | undefined {
    return this.#find("chain", chain);
  }

  /**
   * Never back: of two programs, the one that is told last may have written first. In a transaction of its own: a statement by
   * itself that finds the file locked was seen to keep the lock, in this very program, for ever.
   */
  advance({ id }: Chain, { n, mac }: Link): void {
    this.#advance ??= this.#db.prepare("UPDATE heads SET n = ?, mac = ? WHERE chain = ? AND n < ?");
    const advance = this.#advance;
    inTransaction(this.#db, () => advance.run([n, mac, id, n]));
  }

  close(): void {
    this.#db.close();
  }

  #find(column: "chain" | "project", value: string): Head | undefined {
    const row = this.#db.prepare(`SELECT chain, project, key, n, mac FROM heads WHERE ${column} = ?`).get([value]);
    if (row === undefined) return undefined;
    const chain = { id: textIn(row, "chain"), key: bytesIn(row, "key") };
    return { chain, project: textIn(row, "project"), n: numberIn(row, "n"), mac: bytesIn(row, "mac") };
  }
}

function prepared(db: Database): Database {
  db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
  db.exec("PRAGMA journal_mode = WAL");
  // If the machine stops, the last ends may be missing; then there is more in the journal than they say, which is no harm.
  db.exec("PRAGMA synchronous = NORMAL");
  if (numberIn(db.prepare("PRAGMA user_version").get(), "user_version") === 0) db.exec(CREATE);
  db.exec("PRAGMA busy_timeout = 0");
  return db;
}
