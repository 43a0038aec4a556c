import { isAbsolute, relative, sep } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Config } from "@hookline/engine";
import { type FileChanges, watchFiles } from "./fileChanges.ts";
import type { SessionTotals } from "./sessionTotals.ts";

/** The limit for the wait at the start for git, which a repository can make hang, and for slow disks. */
const MOST_START_MS = 2_000;

const UNKNOWN =
  "it is unknown which files this session changed: SessionStop hooks get no changed_files, and only_if_changed_paths is ignored.";

/** Collects what a session did, for SessionStop hooks. Does nothing if there are none. */
export class SessionSummary {
  readonly #projectRoot: string;
  readonly #startedAt = new Date();
  readonly #files: FileChanges | undefined;
  readonly #onNotice: (text: string) => void;
  /** The session continued before the first snapshot was complete, so early changes may be missing. */
  #isLate = false;
  #isBegun = false;

  constructor(config: Config, projectRoot: string, onNotice: (text: string) => void) {
    this.#projectRoot = projectRoot;
    this.#onNotice = onNotice;
    this.#files = hasHooks(config, "SessionStop") ? watchFiles(projectRoot) : undefined;
  }

  /** Await this before any work that the summary must include. */
  async begun(signal: AbortSignal): Promise<void> {
    if (!this.#files || this.#isBegun) return;
    this.#isBegun = true;
    const late = setTimeout(MOST_START_MS, "late", { ref: false });
    this.#isLate = (await Promise.race([this.#files.begun, aborted(signal), late])) === "late";
  }

  async read({ changedFiles, abilitiesUsed, tasks }: SessionTotals, signal?: AbortSignal) {
    const changed = this.#files ? await this.#files.changed(signal) : [];
    const byOthers = this.#isLate ? undefined : changed;
    if (!byOthers) this.#onNotice(`${this.#files?.obstacle}, so ${UNKNOWN}`);
    const done = [...tasks.values()].flatMap(({ key, abilityId, result }) =>
      result ? [{ task_key: key, ability_id: abilityId, status: result.status }] : [],
    );
    return {
      ...(byOthers && { changed_files: inProject([...changedFiles, ...byOthers], this.#projectRoot) }),
      abilities_used: [...abilitiesUsed],
      tasks_summary: done,
      started_at: this.#startedAt.toISOString(),
      ended_at: new Date().toISOString(),
    };
  }
}

/** Paths from the project root, with slashes; omits files outside of it. */
export function inProject(files: readonly string[], projectRoot: string): string[] {
  const paths = files.map((file) => relative(projectRoot, file).split(sep).join("/"));
  return [...new Set(paths)].filter((path) => path !== "" && !path.startsWith("../") && !isAbsolute(path)).sort();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Whether an event has hooks. */
export function hasHooks(config: Config, eventName: string): boolean {
  const system = config.getHookSystem();
  return (system?.getStartedHandler() && system.getRegistry().getHooksForEvent(eventName).length > 0) === true;
}
