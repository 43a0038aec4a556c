import { dirname, join } from "node:path";
import { TASKS } from "../../abilities/store/storeError.ts";
import { JOURNAL } from "../../journal/journalError.ts";
import { JOURNAL_VERSION } from "../../journal/journalSchema.ts";
import { type StoreSpec, storePath } from "../../store/storeFile.ts";

/** A database of ours, as far as a doctor must know it. */
export interface Store {
  readonly name: string;
  readonly path: string;
  /** The newest form that this program knows. */
  readonly version: number;
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
      ifDamaged: "`hookline doctor --fix` puts it aside, and saves what can be read of it.",
      spec: JOURNAL,
    },
    tasks: {
      name: "the store of tasks",
      path: storePath(projectRoot, TASKS),
      version: 1,
      ifDamaged: "Move it away to begin with an empty one, or restore it from a copy.",
      spec: TASKS,
    },
    keys: {
      name: "the store of journals' keys",
      // As headStore.ts has it, which cannot be loaded where the database cannot.
      path: join(homeDir, ".hookline", "journals.db"),
      version: 1,
      ifDamaged:
        "Restore it from a copy. Or move it away: journals go on with new keys, and what was recorded until now can no longer be verified.",
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
