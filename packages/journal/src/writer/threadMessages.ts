import type { JournalOptions } from "@hookline/engine/program";
import type { StatePlace } from "../state/statePlace.ts";

/** What the thread must know to write. */
export interface ThreadSetup extends StatePlace {
  readonly options: JournalOptions;
  /** The program's variables: the values of those that are credentials must not be written down. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly rewritesPrompts?: boolean | undefined;
}

/** To the thread. `upTo` counts everything that was handed over; `lost` is how many entries had to be dropped before these. */
export type ToThread =
  | { readonly kind: "setup"; readonly setup: ThreadSetup }
  /** There will be something to write. */
  | { readonly kind: "open" }
  /** Each is an entry, serialised. */
  | { readonly kind: "entries"; readonly packed: readonly Uint8Array[]; readonly upTo: number; readonly lost: number }
  | { readonly kind: "close" };

/** From the thread. What was given up is `done`, too, and counted as lost: nobody needs to wait for it any longer. */
export type FromThread =
  | { readonly kind: "done"; readonly upTo: number; readonly lost: number }
  /** Another program has locked the journal, for longer than anybody needs to write to it. */
  | { readonly kind: "locked" }
  | { readonly kind: "notice"; readonly text: string };

/** Places in the memory that program and thread share: the thread is inside of the database; the program waits for nothing any more. */
export const BUSY = 0;
export const GIVEN_UP = 1;
