import type { JournalOptions } from "@hookline/engine/program";
import type { StatePlace } from "../state/statePlace.ts";
import type { PackedEntries } from "./entryBatch.ts";

/** What the thread needs to write. */
export interface ThreadSetup extends StatePlace {
  readonly options: JournalOptions;
  /** The program's variables: credentials among their values must not be recorded. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly rewritesPrompts?: boolean | undefined;
}

/** To the thread. `upTo` counts everything sent so far; `lost` is the number of entries dropped before these. */
export type ToThread =
  | { readonly kind: "setup"; readonly setup: ThreadSetup }
  /** Announces that there will be something to write. */
  | { readonly kind: "open" }
  /** Serialised entries. */
  | { readonly kind: "entries"; readonly packed: PackedEntries; readonly upTo: number; readonly lost: number }
  | { readonly kind: "close" };

/** From the thread. Abandoned entries are `done`, too, and counted as lost, so that callers stop waiting. */
export type FromThread =
  | { readonly kind: "done"; readonly upTo: number; readonly lost: number }
  /** Another program has locked the journal for longer than any write takes. */
  | { readonly kind: "locked" }
  | { readonly kind: "notice"; readonly text: string };

/**
 * Indexes in the memory that program and thread share: the thread is inside a database call; the program has stopped
 * waiting.
 */
export const BUSY = 0;
export const GIVEN_UP = 1;
