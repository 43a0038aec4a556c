import { AsyncLocalStorage } from "node:async_hooks";
import type { TrustPolicy } from "@hookline/engine";
import { type HookDeclaration, type LoadedSettings, takesEffect } from "@hookline/engine/program";
import { openProject, type Project } from "../project/openProject.ts";
import type { SessionOfEvent } from "../project/sessionConfig.ts";
import { mayStartWithout } from "./unreadFiles.ts";

/** A call of an agent, while it is answered. */
export interface CallInProgress extends SessionOfEvent {
  /** A person is being asked: the agent is told to wait. Returns how long it does. */
  readonly waitForPerson: () => number;
}

export interface ServedOptions {
  readonly homeDir: string;
  readonly systemFile?: string | undefined;
  readonly folder: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly trust: TrustPolicy;
  readonly protects: readonly string[];
  readonly onNotice: (text: string) => void;
}

const calls = new AsyncLocalStorage<CallInProgress>();

/** Undefined outside of a call, as when a watched file has changed. */
export function callInProgress(): CallInProgress | undefined {
  return calls.getStore();
}

/** A project whose hooks are kept warm, for all the sessions of all agents that work in it. */
export class ServedProject {
  readonly root: string;
  readonly project: Project;
  readonly #env: Readonly<Record<string, string>>;
  /** The variables that hooks can see, of the settings that they were read from. */
  #names: { readonly of: LoadedSettings; readonly all: readonly string[] } | undefined;
  /** Calls in progress: it stays open until they end. */
  calls = 0;
  usedAt = 0;

  private constructor({ root, env }: ServedOptions, project: Project) {
    this.root = root;
    this.#env = env;
    this.project = project;
  }

  /** Rejects if settings cannot be read: the caller then denies whatever a guard could have blocked. */
  static async open(options: ServedOptions): Promise<ServedProject> {
    const { homeDir, systemFile, folder, env, trust, protects, onNotice } = options;
    const io = { cwd: folder, homeDir, env, ...(systemFile === undefined ? {} : { systemFile }) };
    const project = await openProject(io, {
      trust,
      unreadSettings: (unread) => mayStartWithout({ unread, root: options.root, homeDir }),
      watch: true,
      env,
      protects,
      session: callInProgress,
      onNotice,
      isEmbedded: true,
    });
    return new ServedProject(options, project);
  }

  /** Everything that runs because of the call knows it. */
  during<Result>(of: CallInProgress, call: () => Promise<Result>): Promise<Result> {
    return calls.run(of, call);
  }

  get loaded(): LoadedSettings {
    return this.project.system.getSettings();
  }

  /** The hooks that run here now. */
  get hooks(): readonly HookDeclaration[] {
    const entries = this.project.system.getRegistry().getAllHooks();
    return entries.map(({ config }) => config).filter((config) => config.off === undefined);
  }

  /** The hooks that can keep something from happening. */
  get guards(): readonly HookDeclaration[] {
    return this.hooks.filter(takesEffect);
  }

  /** Whether hooks that were started with this environment are the right ones for another call's. */
  fits(env: Readonly<Record<string, string>>): boolean {
    const { loaded } = this;
    if (this.#names?.of !== loaded) this.#names = { of: loaded, all: this.#readNames(loaded) };
    return this.#names.all.every((name) => this.#env[name] === env[name]);
  }

  #readNames({ options }: LoadedSettings): readonly string[] {
    const ofHooks = this.hooks.flatMap(({ passEnv, env }) => [...passEnv, ...Object.values(env).flatMap(namesIn)]);
    return [...new Set([...SHARED, ...options.passEnv, ...ofHooks])];
  }
}

/** What programs look at first. Other variables of an agent differ between its sessions, and mean nothing to hooks. */
const SHARED = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "TMPDIR"];

function namesIn(value: string): readonly string[] {
  return [...value.matchAll(/\$\{?(\w+)/g)].map(([, name = ""]) => name);
}
