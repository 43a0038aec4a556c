import { dirname } from "node:path";
import type { StatePlace } from "@hookline/journal";
import { HEADS_SCHEMA, headsPath, JOURNAL, JOURNAL_FORMS, KEYS, storePath } from "@hookline/journal/program";
import { TASKS } from "../../abilities/store/storeError.ts";
import { TASKS_SCHEMA } from "../../abilities/store/storeSchema.ts";

/** What `doctor` needs to know about one of our databases. */
export interface Store {
  readonly name: string;
  readonly path: string;
  /** The statements that create each schema version, the newest last. */
  readonly forms: readonly string[];
  /** In a project's state folder, which is never a link; `~/.hookline` may be one. */
  readonly isState: boolean;
  /** Advice if it is damaged. */
  readonly ifDamaged: string;
}

export interface Stores {
  readonly journal: Store;
  readonly tasks: Store;
  readonly keys: Store;
}

export function storesOf(place: StatePlace): Stores {
  return {
    journal: {
      name: "the journal",
      path: storePath(place, JOURNAL),
      isState: true,
      forms: JOURNAL_FORMS,
      ifDamaged: "`hookline doctor --fix` moves it aside and saves the readable part.",
    },
    tasks: {
      name: "the task store",
      path: storePath(place, TASKS),
      isState: true,
      forms: [TASKS_SCHEMA],
      ifDamaged: "Move it away to start with an empty one, or restore it from a backup.",
    },
    keys: {
      name: KEYS.name,
      path: headsPath(place.homeDir),
      isState: false,
      forms: [HEADS_SCHEMA],
      ifDamaged: KEYS.ifDamaged,
    },
  };
}

export function folderOf({ path }: Store): string {
  return dirname(path);
}
