import { randomUUID } from "node:crypto";
import type { DeclarationKind } from "../config/hooks/declarationKind.ts";
import type { Extension, LoadedSettings } from "../config/layers/loadedSettings.ts";
import { loadSettings } from "../config/layers/loadSettings.ts";
import { EVENTS } from "../events/catalog.ts";
import { HANDLERS } from "./handlers/index.ts";
import type { HookConfig } from "./hookConfig.ts";
import { HookSystem } from "./hookSystem.ts";
import type { HookSystemOptions } from "./hookSystemOptions.ts";

/** One entry of an event in a settings file: the hooks and their matcher. */
export interface HookDefinition {
  readonly matcher?: string;
  readonly sequential?: boolean;
  readonly hooks: readonly HookConfig[];
}

/** Hooks in the form of a settings file: event → definitions. The content is checked on load. */
export type HookDefinitions = Readonly<
  Record<string, readonly (HookDefinition | Readonly<Record<string, unknown>>)[] | undefined>
>;

/** Implemented by an embedder, to tell the engine about its session. */
export interface Config {
  getSessionId(): string;
  getWorkingDir(): string;
  /** Empty if there is no transcript. */
  getTranscriptPath(): string;
  /** Hooks of the program itself; they count as project hooks. */
  getHooks(): HookDefinitions | undefined;
  getEnableHooks(): boolean;
  getExtensions(): readonly Extension[] | undefined;
  /** Undefined if hooks are off. */
  getHookSystem(): HookSystem | undefined;
  /** Present if hooks come from the settings layers; called at start and at every reload. */
  loadSettings?(): Promise<LoadedSettings>;
}

export interface SettingsConfigOptions extends HookSystemOptions {
  readonly workingDir: string;
  readonly sessionId?: string;
  readonly transcriptPath?: string;
  readonly enableHooks?: boolean;
  /** Default: every folder in `~/.hookline/extensions`. */
  readonly extensions?: readonly Extension[];
  readonly systemFile?: string;
  /** Kinds other than hooks that the settings may declare; default none. `starts` says which of them are started. */
  readonly declares?: readonly DeclarationKind[];
}

/** The default `Config`: hooks from the settings layers of a working directory. */
export class SettingsConfig implements Config {
  readonly #options: SettingsConfigOptions;
  readonly #sessionId: string;
  #system: HookSystem | undefined;

  constructor(options: SettingsConfigOptions) {
    this.#options = options;
    this.#sessionId = options.sessionId ?? randomUUID();
  }

  getSessionId(): string {
    return this.#sessionId;
  }

  getWorkingDir(): string {
    return this.#options.workingDir;
  }

  getTranscriptPath(): string {
    return this.#options.transcriptPath ?? "";
  }

  getHooks(): undefined {
    return undefined;
  }

  getEnableHooks(): boolean {
    return this.#options.enableHooks ?? true;
  }

  getExtensions(): readonly Extension[] {
    return this.#options.extensions ?? [];
  }

  getHookSystem(): HookSystem | undefined {
    if (!this.getEnableHooks()) return undefined;
    this.#system ??= new HookSystem(this, this.#options);
    return this.#system;
  }

  loadSettings(): Promise<LoadedSettings> {
    const { workingDir, homeDir, systemFile, extensions, declares, env } = this.#options;
    const { catalog = EVENTS, handlers = HANDLERS } = this.#options;
    return loadSettings({
      workingDir,
      catalog,
      kinds: handlers.map(({ kind }) => kind),
      ...(homeDir === undefined ? {} : { homeDir }),
      ...(env === undefined ? {} : { path: env.PATH ?? "" }),
      ...(systemFile === undefined ? {} : { systemFile }),
      ...(extensions === undefined ? {} : { extensions }),
      ...(declares === undefined ? {} : { declares }),
    });
  }
}
