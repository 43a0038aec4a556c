import type { Recorder } from "@hookline/engine";
import { countUnmatched, Journal, startJournal } from "@hookline/journal";
import { upgradeNotices } from "../state/upgradeNotices.ts";
import type { Io } from "../terminal/io.ts";
import { type HooksIo, type HooksOptions, type OpenHooks, openHooks } from "./openHooks.ts";
import { together } from "./recorders.ts";

export type ProjectIo = HooksIo & Pick<Io, "env"> & Partial<Pick<Io, "signal">>;

export interface ProjectOptions extends Omit<HooksOptions, "recorder"> {
  /** Receive every record, beside the journal. */
  readonly recorders?: readonly Recorder[];
  /** Receives what a person should know. */
  readonly onNotice: (text: string) => void;
  /** Default: true. */
  readonly keepsJournal?: boolean;
  /** Start the journal's thread while settings are read: an event follows at once. */
  readonly firesAtOnce?: boolean;
  /** Embedded in another program, which must not use up the notices about an upgrade: each comes once. */
  readonly isEmbedded?: boolean;
}

/** A project whose hooks run and are recorded. `openHooks` is for commands that only look. */
export interface Project extends OpenHooks {
  /** Undefined if another recorder replaces it. */
  readonly journal: Journal | undefined;
  /** Ends something together with the hook system, after the last hook and before the journal. */
  onClose(end: () => Promise<void> | void): void;
  /** Waits for hooks that do not block, no longer than the signal allows; default: the program's signal. */
  close(signal?: AbortSignal): Promise<void>;
}

export async function openProject(io: ProjectIo, options: ProjectOptions): Promise<Project> {
  const { recorders = [], onNotice, keepsJournal = true, ...others } = options;
  const journal = keepsJournal ? new Journal() : undefined;
  const ends: (() => Promise<void> | void)[] = [];
  let hooks: OpenHooks | undefined;
  const close = async (signal = io.signal) => {
    try {
      await hooks?.system.settle(signal);
      if (hooks && journal) countUnmatched(journal, hooks.system);
      await Promise.all([hooks?.system.dispose(), ...ends.map((end) => end())]);
    } finally {
      await journal?.close(io.signal ?? signal);
    }
  };
  try {
    if (options.firesAtOnce) journal?.warmUp();
    hooks = await openHooks(io, { ...others, recorder: together(...recorders, ...(journal ? [journal] : [])) });
    if (journal) startJournal(journal, io, { ...hooks, onNotice });
    if (!options.isEmbedded) for (const text of upgradeNotices(io, hooks.loaded)) onNotice(text);
    return { ...hooks, journal, onClose: (end) => ends.push(end), close };
  } catch (error) {
    await close();
    throw error;
  }
}
