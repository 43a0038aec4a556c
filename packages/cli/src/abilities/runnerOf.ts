import type { Approve, HookSystem } from "@hookline/engine";
import { declaredOf, type LoadedSettings } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import type { Project, ProjectIo } from "../project/openProject.ts";
import { AbilityRegistry } from "./abilityRegistry.ts";
import type { Caller } from "./caller.ts";
import { TaskStore } from "./store/taskStore.ts";
import { ToolRunner } from "./toolRunner.ts";

export interface OpenRunner {
  readonly runner: ToolRunner;
  readonly registry: AbilityRegistry;
  readonly store: TaskStore;
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  /** Waits for hooks that do not block, no longer than the signal allows, and lets go of everything. */
  close(signal?: AbortSignal): Promise<void>;
}

interface RunnerOptions {
  readonly caller: Caller;
  readonly environment: string | undefined;
  readonly approve: Approve | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onNotice: (text: string) => void;
}

/** The Tool Runner of an open project, whose task store ends with it. */
export function runnerOf(project: Project, io: ProjectIo, options: RunnerOptions): OpenRunner {
  const { config, system, loaded, close } = project;
  const { caller, environment, approve, signal, onNotice } = options;
  // Hooks of an agent's session are told its id; any other run is a session of its own.
  if (caller.session_id !== undefined) config.begin(caller.session_id, "");
  const registry = new AbilityRegistry(system.getDeclared(ABILITIES), declaredOf(ABILITIES, loaded.others));
  const store = new TaskStore(placeOf(io, loaded), onNotice);
  project.onClose(() => store.close());
  const runner = new ToolRunner({
    config,
    system,
    registry,
    store,
    projectRoot: loaded.projectRoot,
    caller,
    env: io.env,
    onNotice,
    ...(environment ? { environment } : {}),
    ...(approve ? { approve } : {}),
    ...(signal ? { signal } : {}),
  });
  return { runner, registry, store, system, loaded, close };
}
