import { setTimeout } from "node:timers/promises";
import type { StatePlace } from "@hookline/journal";
import { hasStore, storePath } from "@hookline/journal/program";
import type { Database, Statement } from "libsql";
import { type Notify, openStore } from "./openStore.ts";
import { isBusy, storeError, TASKS } from "./storeError.ts";

export type Value = string | number | null;

const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 9;

/** The way to the store of a project, opened by whoever needs it first. What is wrong with it is STORE_UNUSABLE. */
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

  /** Whether there was something to change. */
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
   * Whoever has to wait asks again soon and at odd times, and does other things meanwhile. SQLite would sleep longer and
   * longer, with the whole program: where many write at once, somebody is then always asleep when it is their turn.
   */
  async #attempt<T>(work: (db: Database) => T): Promise<T> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return work(await this.#open());
      } catch (error) {
        if (!isBusy(error)) throw storeError(this.path, error);
        if (performance.now() > deadline) {
          await this.close(); // a statement that is given up may hold a lock itself
          throw storeError(this.path, error);
        }
        await setTimeout(1 + Math.random() * LONGEST_PAUSE_MS);
      }
    }
  }

  #open(): Promise<Database> {
    this.#opening ??= openStore(this.place, this.#onNotice).catch((error: unknown) => {
      this.#opening = undefined; // what is wrong with it may be gone at the next attempt
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
