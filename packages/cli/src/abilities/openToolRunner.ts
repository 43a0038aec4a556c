import { randomUUID } from "node:crypto";
import type { Approve, HookSystem, Recorder, TrustPolicy } from "@hookline/engine";
import { declaredOf, homeFolder, type LoadedSettings, type UnreadPolicy } from "@hookline/engine/program";
import { countUnmatched, Journal, placeOf, startJournal } from "@hookline/journal";
import { ABILITIES } from "../declarations/abilities/abilities.ts";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { SessionConfig } from "../project/sessionConfig.ts";
import { hasTerminal } from "../terminal/hasTerminal.ts";
import { AbilityRegistry } from "./abilityRegistry.ts";
import { type Caller, currentUser, detectCaller } from "./caller.ts";
import { TaskStore } from "./store/taskStore.ts";
import { ToolRunner } from "./toolRunner.ts";

export interface OpenRunnerOptions {
  /** Anywhere in the project. */
  readonly workingDir: string;
  /** Who decides about project code that nobody trusted yet; without it, opening rejects with TRUST_REQUIRED. */
  readonly trust?: TrustPolicy;
  /** Who decides about settings files that cannot be read; without it, opening rejects with the first problem. */
  readonly unreadSettings?: UnreadPolicy;
  /** Default: as detected from the environment. */
  readonly caller?: Caller;
  /** Default: `HOOKLINE_ENV`. */
  readonly environment?: string;
  readonly approve?: Approve;
  readonly signal?: AbortSignal;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly onNotice?: (text: string) => void;
  /** Hears of everything that hooks do; default: the journal of the project. */
  readonly recorder?: Recorder;
  readonly homeDir?: string;
  /** Default: as the user's settings say, else `~/.hookline/projects`. */
  readonly stateDir?: string;
  readonly systemFile?: string;
}

export interface OpenRunner {
  readonly runner: ToolRunner;
  readonly registry: AbilityRegistry;
  readonly store: TaskStore;
  readonly system: HookSystem;
  readonly loaded: LoadedSettings;
  /** Waits for hooks that do not block, no longer than the signal allows, and lets go of everything. */
  close(signal?: AbortSignal): Promise<void>;
}

/** Everything that abilities of a project need, started: its settings and hooks behind the trust gate, its registry, its tasks. */
export async function openToolRunner(options: OpenRunnerOptions): Promise<OpenRunner> {
  const {
    workingDir,
    env = process.env,
    homeDir = homeFolder(),
    onNotice = () => {},
    environment = env.HOOKLINE_ENV,
  } = options;
  const caller = options.caller ?? detectCaller({ env, hasTerminal: hasTerminal(), user: currentUser() });
  const { trust, unreadSettings, systemFile, approve, signal, stateDir } = options;
  const journal = options.recorder === undefined ? new Journal() : undefined;
  const recorder = options.recorder ?? journal;
  const state = { homeDir, ...(stateDir === undefined ? {} : { stateDir }) };
  const { config, loaded } = await SessionConfig.open({
    workingDir,
    homeDir,
    state,
    starts: DECLARATION_KINDS,
    ...(trust === undefined ? {} : { trust }),
    ...(unreadSettings === undefined ? {} : { unreadSettings }),
    ...(recorder === undefined ? {} : { recorder }),
    ...(systemFile === undefined ? {} : { systemFile }),
  });
  // Hooks of an agent's session are told its id; any other run is a session of its own.
  config.begin(caller.session_id ?? randomUUID(), "");
  const system = config.getHookSystem();
  if (!system) throw new Error("The hook system is off");
  await system.initialize();
  if (journal) startJournal(journal, { ...state, env }, { system, loaded, onNotice });
  const registry = new AbilityRegistry(system.getDeclared(ABILITIES), declaredOf(ABILITIES, loaded.others));
  const store = new TaskStore(placeOf(state, loaded), onNotice);
  const runner = new ToolRunner({
    config,
    system,
    registry,
    store,
    projectRoot: loaded.projectRoot,
    caller,
    env,
    onNotice,
    ...(environment ? { environment } : {}),
    ...(approve ? { approve } : {}),
    ...(signal ? { signal } : {}),
  });
  return {
    runner,
    registry,
    store,
    system,
    loaded,
    close: async (signal) => {
      if (journal) countUnmatched(journal, system);
      await system.settle(signal);
      await Promise.all([system.dispose(), store.close()]);
      await journal?.close(signal);
    },
  };
}
