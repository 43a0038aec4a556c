import { dirname } from "node:path";
import type { Database } from "libsql";
import { TASKS } from "../../abilities/store/storeError.ts";
import { prepareSchema } from "../../abilities/store/storeSchema.ts";
import { createHeads, HEADS_VERSION, headsPath } from "../../journal/headSchema.ts";
import { JOURNAL, KEYS } from "../../journal/journalError.ts";
import { createJournal, JOURNAL_VERSION } from "../../journal/journalSchema.ts";
import { type StoreSpec, storePath } from "../../store/storeFile.ts";

/** A database of ours, as far as a doctor must know it. */
export interface Store {
  readonly name: string;
  readonly path: string;
  /** The newest form that this program knows. */
  readonly version: number;
  /** Makes its tables, so that they can be compared. */
  readonly create: (db: Database) => void;
  /** What to do where it is damaged. */
  readonly ifDamaged: string;
  /** Of one in a project: a repository may bring anything of that name. */
  readonly spec?: StoreSpec;
}

export interface Stores {
  readonly journal: Store;
  readonly tasks: Store;
  readonly keys: Store;
}

export function storesOf(projectRoot: string, homeDir: string): Stores {
  return {
    journal: {
      name: "the journal",
      path: storePath(projectRoot, JOURNAL),
      version: JOURNAL_VERSION,
      create: createJournal,
      ifDamaged: "`hookline doctor --fix` puts it aside, and saves what can be read of it.",
      spec: JOURNAL,
    },
    tasks: {
      name: "the store of tasks",
      path: storePath(projectRoot, TASKS),
      version: 1,
      create: (db) => prepareSchema(db, storePath(projectRoot, TASKS)),
      ifDamaged: "Move it away to begin with an empty one, or restore it from a copy.",
      spec: TASKS,
    },
    keys: {
      name: KEYS.name,
      path: headsPath(homeDir),
      version: HEADS_VERSION,
      create: createHeads,
      ifDamaged: KEYS.ifDamaged,
    },
  };
}

/** The database itself, and what SQLite keeps beside it. */
export function filesOf(path: string): readonly string[] {
  return ["", "-wal", "-shm"].map((end) => `${path}${end}`);
}

/** In which it lies; in a project it must really be there. */
export function folderOf({ path }: Store): string {
  return dirname(path);
}
