import { randomBytes, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import SqlDatabase, { type Database, type Statement } from "libsql";
import { createHeads, HEADS_SCHEMA, headsPath } from "../records/headSchema.ts";
import { isBusy, keysError, wrongForm } from "../records/journalError.ts";
import { makeUserFolder, refuseStrangeFile } from "../state/ownFolder.ts";
import { bytesIn, numberIn, textIn } from "../store/columns.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { journalMode } from "../store/journalMode.ts";
import { formFault, versionOf } from "../store/schemaFault.ts";
import { filesOf, openOnce } from "../store/storeFile.ts";
import type { Chain, Link } from "./chain.ts";

/** Only to be opened; whoever moves an end waits by itself. */
const PATIENCE_MS = 2_000;

/** A chain with its end as it was last acknowledged. */
export interface Head extends Link {
  readonly chain: Chain;
  /** The project it belongs to, by its real path. */
  readonly project: string;
}

/**
 * The keys and the ends of all journals that this user writes, in the user's own folder: whoever can write to a project can
 * change its journal, but neither sign what they wrote nor hide that its end is gone.
 */
export class HeadStore {
  readonly #path: string;
  readonly #db: Database;
  #advance: Statement | undefined;

  constructor(homeDir: string) {
    this.#path = headsPath(homeDir);
    this.#db = this.#naming(() => {
      makeUserFolder(homeDir);
      for (const file of filesOf(this.#path)) refuseStrangeFile(file);
      return openOnce(this.#path, () => prepared(new SqlDatabase(this.#path), this.#path));
    });
  }

  /** Makes one where there is none yet. */
  ofProject(projectRoot: string): Head {
    const project = realpathSync(projectRoot);
    return this.#naming(() => this.#find("project", project) ?? this.#make(project));
  }

  /** By the real path of a project, which may be gone. */
  findProject(root: string): Head | undefined {
    return this.#naming(() => this.#find("project", root));
  }

  find(chain: string): Head | undefined {
    return this.#naming(() => this.#find("chain", chain));
  }

  /**
   * Never back: of two programs, the one that is told last may have written first. In a transaction of its own: a statement by
   * itself that finds the file locked was seen to keep the lock, in this very program, for ever.
   */
  advance({ id }: Chain, { n, mac }: Link): void {
    this.#naming(() => {
      this.#advance ??= this.#db.prepare("UPDATE heads SET n = ?, mac = ? WHERE chain = ? AND n < ?");
      const advance = this.#advance;
      inTransaction(this.#db, () => advance.run([n, mac, id, n]));
    });
  }

  close(): void {
    this.#db.close();
  }

  #make(project: string): Head {
    const insert = this.#db.prepare(
      "INSERT INTO heads (chain, project, key, n, mac) VALUES (?, ?, ?, 0, ?) ON CONFLICT DO NOTHING",
    );
    inTransaction(this.#db, () => insert.run([randomUUID(), project, randomBytes(32), Buffer.alloc(32)]));
    const made = this.#find("project", project);
    if (!made) throw new Error("The head of a journal is gone");
    return made;
  }

  #find(column: "chain" | "project", value: string): Head | undefined {
    const row = this.#db.prepare(`SELECT chain, project, key, n, mac FROM heads WHERE ${column} = ?`).get([value]);
    if (row === undefined) return undefined;
    const chain = { id: textIn(row, "chain"), key: bytesIn(row, "key") };
    return { chain, project: textIn(row, "project"), n: numberIn(row, "n"), mac: bytesIn(row, "mac") };
  }

  /** It is not the journal itself that is wrong. Whoever only has to wait is told so as it is. */
  #naming<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw isBusy(error) ? error : keysError(this.#path, error);
    }
  }
}

function prepared(db: Database, path: string): Database {
  try {
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    db.exec("PRAGMA trusted_schema = OFF");
    db.exec(journalMode(path));
    // If the machine stops, the last ends may be missing; then there is more in the journal than they say, which is no harm.
    db.exec("PRAGMA synchronous = NORMAL");
    const fault = formFault(db, [HEADS_SCHEMA]);
    if (fault !== undefined) throw wrongForm(fault);
    if (versionOf(db) === 0) inTransaction(db, () => versionOf(db) === 0 && createHeads(db));
    db.exec("PRAGMA busy_timeout = 0");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
