import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HookSystem, type HookSystemOptions, SettingsConfig } from "@hookline/engine";
import type { LoadedSettings } from "@hookline/engine/program";
import { DECLARATION_KINDS } from "../declarations/index.ts";
import { packagedSpawner } from "../project/packagedSpawner.ts";
import { endAtOnce } from "../terminal/endAtOnce.ts";

/** Reads the project's own declarations, without the user, system and extension layers. */
export async function readProjectSettings(root: string): Promise<LoadedSettings> {
  const nowhere = join(tmpdir(), `hookline-nobody-${randomUUID()}`);
  const others = {
    homeDir: nowhere,
    systemFile: join(nowhere, "settings.json"),
    extensions: [],
    declares: DECLARATION_KINDS,
  };
  const loaded = await endAtOnce(() => new SettingsConfig({ workingDir: root, ...others }).loadSettings());
  if (loaded.projectRoot === root) return loaded;
  // A folder without declarations resolves to the project around it, whose hooks must not run here.
  return { ...loaded, projectRoot: root, hooks: [], others: [], problems: [], watch: [] };
}

/** Opens a hook system with exactly these hooks. */
export async function openSettings(loaded: LoadedSettings, options: HookSystemOptions): Promise<HookSystem> {
  const system = new ReadSettings(loaded, options).getHookSystem();
  if (!system) throw new Error("The hook system is off");
  await system.initialize();
  return system;
}

/** Inside the copy: hook state is deleted with it. */
function sandboxState(root: string): string {
  const folder = join(root, ".hookline", "state");
  mkdirSync(folder, { recursive: true });
  return folder;
}

class ReadSettings extends SettingsConfig {
  readonly #loaded: LoadedSettings;

  constructor(loaded: LoadedSettings, options: HookSystemOptions) {
    const defaults = { hookState: sandboxState, unreadSettings: "ignore", spawner: packagedSpawner() } as const;
    super({ ...defaults, ...options, workingDir: loaded.projectRoot });
    this.#loaded = loaded;
  }

  override loadSettings(): Promise<LoadedSettings> {
    return Promise.resolve(this.#loaded);
  }
}
