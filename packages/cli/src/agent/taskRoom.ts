import type { HookSystem } from "@hookline/engine";
import { declaredOf, type LoadedSettings } from "@hookline/engine/program";
import { placeOf } from "@hookline/journal";
import { AbilityRegistry } from "../abilities/abilityRegistry.ts";
import { TaskStore } from "../abilities/store/taskStore.ts";
import { ToolRunner } from "../abilities/toolRunner.ts";
import { taskTools } from "../abilities/tools/taskTools.ts";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import type { SessionConfig } from "../project/sessionConfig.ts";
import type { Io } from "../terminal/io.ts";
import type { Tool } from "../tools/tool.ts";
import type { Observer } from "./agentEvent.ts";
import type { Approver } from "./approver.ts";

export interface TaskRoomOptions {
  readonly config: SessionConfig;
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  readonly approver: Approver | undefined;
  readonly observe: Observer;
}

export interface OpenTaskRoom {
  readonly tools: readonly Tool[];
  close(): Promise<void>;
}

/** The project's abilities as tools for the model; all uses go through the Tool Runner. */
export function openTaskRoom(io: Io, { config, system, loaded, approver, observe }: TaskRoomOptions): OpenTaskRoom {
  const { projectRoot } = loaded;
  const abilities = system.getDeclared(ABILITIES);
  const store = new TaskStore(placeOf(io, loaded), (text) => observe({ type: "notice", text }));
  const environment = io.env.HOOKLINE_ENV;
  const runner = (signal: AbortSignal | undefined) =>
    new ToolRunner({
      config,
      system,
      registry: new AbilityRegistry(abilities, declaredOf(ABILITIES, loaded.others)),
      store,
      projectRoot,
      caller: { source: "ai_session", session_id: config.getSessionId() },
      env: io.env,
      onNotice: (text) => observe({ type: "notice", text }),
      ...(environment ? { environment } : {}),
      ...(approver ? { approve: (request, given) => approver.approve(request, given) } : {}),
      ...(signal ? { signal } : {}),
    });
  return {
    tools: taskTools({ abilities, runner, task: (key) => store.get(key) }),
    close: async () => store.close(),
  };
}
