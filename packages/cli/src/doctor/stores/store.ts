import { dirname } from "node:path";
import type { StatePlace } from "@hookline/journal";
import { HEADS_SCHEMA, headsPath, JOURNAL, JOURNAL_FORMS, KEYS, storePath } from "@hookline/journal/program";
import { TASKS } from "../../abilities/store/storeError.ts";
import { TASKS_SCHEMA } from "../../abilities/store/storeSchema.ts";

/** A database of ours, as far as a doctor must know it. */
export interface Store {
  readonly name: string;
  readonly path: string;
  /** The statements that make each form of it, the newest last. */
  readonly forms: readonly string[];
  /** In a project's state folder, which is never a link; `~/.hookline` may be one. */
  readonly isState: boolean;
  /** What to do where it is damaged. */
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
      ifDamaged: "`hookline doctor --fix` puts it aside, and saves what can be read of it.",
    },
    tasks: {
      name: "the store of tasks",
      path: storePath(place, TASKS),
      isState: true,
      forms: [TASKS_SCHEMA],
      ifDamaged: "Move it away to begin with an empty one, or restore it from a copy.",
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
