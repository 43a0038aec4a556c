import type { HookSystem, Recorder, TrustPolicy } from "@hookline/engine";
import type { DeclarationKind, LoadedSettings, UnreadPolicy } from "@hookline/engine/program";
import { placeOf, type StateIo, type StatePlace } from "@hookline/journal";
import { makeStateSubfolder } from "@hookline/journal/program";
import type { Io } from "../terminal/io.ts";
import { keepClosed } from "./closedGuards.ts";
import { packagedSpawner } from "./packagedSpawner.ts";
import { settingsOptions } from "./readSettings.ts";
import { SessionConfig, type SessionOfEvent } from "./sessionConfig.ts";

export type HooksIo = StateIo & Pick<Io, "cwd" | "systemFile">;

export interface HooksOptions {
  /** Undefined refuses to start untrusted code; "skip" only looks: it asks no question and stores nothing. */
  readonly trust: TrustPolicy | undefined;
  /** Undefined refuses to start beside a file that cannot be read; "ignore" is for commands that show what is wrong. */
  readonly unreadSettings: UnreadPolicy | undefined;
  /** What is started, or looked at, besides hooks. */
  readonly starts?: readonly DeclarationKind[];
  readonly recorder?: Recorder | undefined;
  /** Reads settings again when they change. */
  readonly watch?: boolean;
  /** For a program that serves several sessions: the environment of what hooks start, the session of the event, more that is protected. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly session?: () => SessionOfEvent | undefined;
  readonly protects?: readonly string[];
}

export interface OpenHooks {
  readonly config: SessionConfig;
  readonly system: HookSystem;
  /** The settings that the system was started with. */
  readonly loaded: LoadedSettings;
}

/** The hook system of a working directory, started. */
export async function openHooks(io: HooksIo, options: HooksOptions): Promise<OpenHooks> {
  const { trust, unreadSettings, recorder, starts = [], watch = false, env, session, protects = [] } = options;
  const config = new SessionConfig({
    ...settingsOptions(io),
    starts,
    watch,
    // Tools may write there only with approval.
    protects: io.stateDir === undefined ? protects : [io.stateDir, ...protects],
    spawner: packagedSpawner(),
    hookState: () => hookStateFolder(placeOf(io, loaded)),
    ...(trust === undefined ? {} : { trust }),
    ...(unreadSettings === undefined ? {} : { unreadSettings }),
    ...(recorder === undefined ? {} : { recorder }),
    ...(env === undefined ? {} : { env }),
    ...(session === undefined ? {} : { session }),
  });
  const system = config.getHookSystem();
  if (!system) throw new Error("The hook system is off");
  await system.initialize();
  const loaded = system.getSettings();
  // Sessions that share hooks keep it themselves; trust for one run is not for an agent.
  if (session === undefined && trust !== "all") keepClosed({ homeDir: io.homeDir, loaded, system });
  return { config, system, loaded };
}

/** The folder for the state of hooks; undefined if no state can be kept, which the journal reports. */
function hookStateFolder(place: StatePlace): string | undefined {
  try {
    return makeStateSubfolder(place, "hooks");
  } catch {
    return undefined;
  }
}
