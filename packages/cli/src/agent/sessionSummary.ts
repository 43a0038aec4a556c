import { isAbsolute, relative, sep } from "node:path";
import type { Config } from "@hookline/engine";
import { type GitChanges, watchGit } from "./gitChanges.ts";
import type { SessionTotals } from "./sessionTotals.ts";

/** What a session did, for the hooks of its end. Nothing is looked at where there are none. */
export class SessionSummary {
  readonly #projectRoot: string;
  readonly #startedAt = new Date();
  readonly #git: GitChanges | undefined;

  constructor(config: Config, projectRoot: string) {
    this.#projectRoot = projectRoot;
    this.#git = hasStopHooks(config) ? watchGit(projectRoot) : undefined;
  }

  /** To be waited for before anything is done that is to be told at the end. */
  async begun(signal: AbortSignal): Promise<void> {
    if (this.#git) await Promise.race([this.#git.begun, aborted(signal)]);
  }

  async read({ changedFiles, abilitiesUsed, tasks }: SessionTotals, signal?: AbortSignal) {
    const byOthers = (await this.#git?.changed(signal)) ?? [];
    const done = [...tasks.values()].flatMap(({ key, abilityId, result }) =>
      result ? [{ task_key: key, ability_id: abilityId, status: result.status }] : [],
    );
    return {
      changed_files: inProject([...changedFiles, ...byOthers], this.#projectRoot),
      abilities_used: [...abilitiesUsed],
      tasks_summary: done,
      started_at: this.#startedAt.toISOString(),
      ended_at: new Date().toISOString(),
    };
  }
}

/** Paths from the project root, with slashes; what is outside of it is left out. */
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

function hasStopHooks(config: Config): boolean {
  const system = config.getHookSystem();
  return (system?.getStartedHandler() && system.getRegistry().getHooksForEvent("SessionStop").length > 0) === true;
}
