import { setTimeout } from "node:timers/promises";
import type { StatePlace } from "@hookline/journal";
import { hasStore, storePath } from "@hookline/journal/program";
import type { Database, Statement } from "libsql";
import { type Notify, openStore } from "./openStore.ts";
import { isBusy, storeError, TASKS } from "./storeError.ts";

export type Value = string | number | null;

const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 9;

/** The connection to the task store of a project, opened at first use. Its errors have the code STORE_UNUSABLE. */
export class StoreConnection {
  readonly path: string;
  readonly place: StatePlace;
  readonly #onNotice: Notify;
  readonly #statements = new Map<string, Statement>();
  #opening: Promise<Database> | undefined;

  constructor(place: StatePlace, onNotice: Notify) {
    this.#onNotice = onNotice;
    this.place = place;
    this.path = storePath(place, TASKS);
  }

  exists(): boolean {
    try {
      return hasStore(this.place, TASKS);
    } catch (error) {
      throw storeError(this.path, error);
    }
  }

  /** Returns whether a row changed. */
  async change(sql: string, values: readonly Value[]): Promise<boolean> {
    const { changes } = await this.#attempt((db) => this.#statement(db, sql).run(values));
    return changes > 0;
  }

  rows(sql: string, values: readonly Value[]): Promise<unknown[]> {
    return this.#attempt((db) => this.#statement(db, sql).all(values));
  }

  async close(): Promise<void> {
    const db = await this.#opening?.catch(() => undefined);
    this.#opening = undefined;
    this.#statements.clear();
    db?.close();
  }

  /**
   * Retries with short jittered pauses without blocking the event loop. SQLite's busy handler blocks the thread with longer and
   * longer pauses: with many writers, some of them would sleep through their turn.
   */
  async #attempt<T>(work: (db: Database) => T): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return work(await this.#open());
      } catch (error) {
        if (!isBusy(error)) throw storeError(this.path, error);
        if (performance.now() > deadline) {
          await this.close(); // an aborted statement may still hold a lock
          throw storeError(this.path, error);
        }
        await setTimeout(1 + Math.random() * LONGEST_PAUSE_MS);
      }
    }
  }

  #open(): Promise<Database> {
    this.#opening ??= openStore(this.place, this.#onNotice).catch((error: unknown) => {
      this.#opening = undefined; // the next attempt may succeed
      throw error;
    });
    return this.#opening;
  }

  #statement(db: Database, sql: string): Statement {
    const statement = this.#statements.get(sql) ?? db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
