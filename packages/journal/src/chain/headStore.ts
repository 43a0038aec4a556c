import { randomBytes, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import SqlDatabase, { type Database, type Statement } from "libsql";
import { createHeads, HEADS_SCHEMA, headsPath } from "../records/headSchema.ts";
import { isBusy, keysError, wrongForm } from "../records/journalError.ts";
import { makeUserFolder } from "../state/ownFolder.ts";
import { bytesIn, numberIn, textIn } from "../store/columns.ts";
import { createStore } from "../store/createStore.ts";
import { inTransaction } from "../store/inTransaction.ts";
import { journalMode } from "../store/journalMode.ts";
import { formFault, versionOf } from "../store/schemaFault.ts";
import { refuseStrangeStore } from "../store/storeFile.ts";
import type { Chain, Link } from "./chain.ts";

/** For opening only; `advance` retries on its own. */
const PATIENCE_MS = 2_000;

/** A chain with its last acknowledged end. */
export interface Head extends Link {
  readonly chain: Chain;
  /** Real path of its project. */
  readonly project: string;
}

/**
 * Keys and heads of all journals that this user writes, in the user's own folder: anyone who can write to a project can
 * change its journal, but cannot sign records or hide that the end is missing.
 */
export class HeadStore {
  readonly #path: string;
  readonly #db: Database;
  #advance: Statement | undefined;

  constructor(homeDir: string) {
    this.#path = headsPath(homeDir);
    this.#db = this.#naming(() => {
      makeUserFolder(homeDir);
      refuseStrangeStore(this.#path);
      createStore(this.#path, { connect, schema: HEADS_SCHEMA });
      return prepared(connect(this.#path), this.#path);
    });
  }

  /** Creates a chain if the project has none yet. */
  ofProject(projectRoot: string): Head {
    const project = realpathSync(projectRoot);
    return this.#naming(() => this.#find("project", project) ?? this.#make(project));
  }

  /** By the real path of a project, which may no longer exist. */
  findProject(root: string): Head | undefined {
    return this.#naming(() => this.#find("project", root));
  }

  find(chain: string): Head | undefined {
    return this.#naming(() => this.#find("chain", chain));
  }

  /**
   * Only moves forward: of two programs, the one that acknowledges last may have written first. Uses an explicit
   * transaction: a single statement that found the file locked kept the lock in this process forever.
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
    if (!made) throw new Error("The head of a journal is missing");
    return made;
  }

  #find(column: "chain" | "project", value: string): Head | undefined {
    const row = this.#db.prepare(`SELECT chain, project, key, n, mac FROM heads WHERE ${column} = ?`).get([value]);
    if (row === undefined) return undefined;
    const chain = { id: textIn(row, "chain"), key: bytesIn(row, "key") };
    return { chain, project: textIn(row, "project"), n: numberIn(row, "n"), mac: bytesIn(row, "mac") };
  }

  /** Names the key store instead of the journal in errors. Passes busy errors through, because the caller retries. */
  #naming<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw isBusy(error) ? error : keysError(this.#path, error);
    }
  }
}

const connect = (file: string) => new SqlDatabase(file);

function prepared(db: Database, path: string): Database {
  try {
    db.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    db.exec("PRAGMA trusted_schema = OFF");
    const fault = formFault(db, [HEADS_SCHEMA]);
    if (fault !== undefined) throw wrongForm(fault);
    if (versionOf(db) === 0) inTransaction(db, () => versionOf(db) === 0 && createHeads(db));
    db.exec(journalMode(path));
    // After a power loss the newest heads may be missing; the journal is then ahead of its head, which is harmless.
    db.exec("PRAGMA synchronous = NORMAL");
    db.exec("PRAGMA busy_timeout = 0");
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}
