import { type HookSystem, type Recorder, SettingsConfig, type TrustPolicy } from "@hookline/engine";
import type { DeclarationKind, LoadedSettings } from "@hookline/engine/program";
import { placeOf, type StateIo } from "@hookline/journal";
import { hookStateFolder } from "../state/hookState.ts";
import { endAtOnce } from "../terminal/endAtOnce.ts";
import type { Io } from "../terminal/io.ts";
import { settingsOptions } from "./readSettings.ts";

export interface Project {
  readonly loaded: LoadedSettings;
  readonly system: HookSystem;
}

interface OpenOptions {
  /** Undefined refuses to start untrusted code. */
  readonly trust: TrustPolicy | undefined;
  /** What is started, or looked at, besides hooks. */
  readonly starts?: readonly DeclarationKind[];
  readonly recorder?: Recorder;
}

/** The hook system of the working directory. With the policy "skip" it only looks: nobody is asked, nothing is stored. */
export async function openProject(io: Io, { trust, starts = [], recorder }: OpenOptions): Promise<Project> {
  const config = new SettingsReadOnce({
    ...settingsOptions(io),
    // Every command that opens a project so shows what is wrong with its settings.
    unreadSettings: "ignore",
    starts,
    hookState: () => config.hookState(io),
    ...(trust === undefined ? {} : { trust }),
    ...(recorder === undefined ? {} : { recorder }),
  });
  const system = config.getHookSystem();
  if (!system) throw new Error("The hook system is off");
  await system.initialize();
  return { loaded: await config.loadSettings(), system };
}

/** One reading for the system and for the command, so that both speak of the same hooks. */
class SettingsReadOnce extends SettingsConfig {
  #loading: Promise<LoadedSettings> | undefined;
  #loaded: LoadedSettings | undefined;

  override async loadSettings(): Promise<LoadedSettings> {
    this.#loading ??= endAtOnce(() => super.loadSettings());
    this.#loaded = await this.#loading;
    return this.#loaded;
  }

  hookState(io: StateIo): string | undefined {
    return this.#loaded && hookStateFolder(placeOf(io, this.#loaded));
  }
}
