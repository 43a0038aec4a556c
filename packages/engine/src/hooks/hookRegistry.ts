import { type ConfigSource, type HookDeclaration, RUNNING_ORDER } from "../config/hookDeclaration.ts";
import { HooklineError } from "../errors.ts";

/** A hook as the pipeline knows it. `enabled` is false for everything that is declared and does not run. */
export interface HookRegistryEntry {
  readonly config: HookDeclaration;
  readonly source: ConfigSource;
  readonly eventName: string;
  readonly matcher: string | undefined;
  readonly sequential: boolean;
  readonly enabled: boolean;
  /** Set when a person must look first: the hook was changed or removed after it had been trusted. */
  readonly withheld?: string;
}

export class HookRegistryNotInitializedError extends HooklineError {
  constructor() {
    super({ code: "NOT_INITIALIZED", what: "The hook registry is not initialized." });
    this.name = "HookRegistryNotInitializedError";
  }
}

export function toEntry(config: HookDeclaration): HookRegistryEntry {
  const { source, eventName, matcher, sequential, off } = config;
  return { config, source, eventName, matcher, sequential, enabled: off === undefined };
}

/** All hooks, indexed by event in running order. `version` changes with the content, so that plans can be cached. */
export class HookRegistry {
  #declared: readonly HookRegistryEntry[] | undefined;
  #runtime: HookRegistryEntry[] = [];
  #byEvent: Map<string, HookRegistryEntry[]> | undefined;
  version = 0;

  /** Takes the declared hooks in; again after a reload. Runtime hooks stay. */
  initialize(declared: readonly HookRegistryEntry[]): void {
    this.#declared = declared;
    this.#changed();
  }

  getHooksForEvent(eventName: string): readonly HookRegistryEntry[] {
    if (!this.#declared) throw new HookRegistryNotInitializedError();
    return this.#index().get(eventName) ?? [];
  }

  getAllHooks(): readonly HookRegistryEntry[] {
    if (!this.#declared) throw new HookRegistryNotInitializedError();
    return [...this.#index().values()].flat();
  }

  /** Acts in memory, on every bearer of the name; returns how many there are. */
  setHookEnabled(name: string, enabled: boolean): number {
    let bearers = 0;
    const toggle = (entry: HookRegistryEntry): HookRegistryEntry => {
      if (entry.config.name !== name) return entry;
      bearers += 1;
      const runnable = entry.config.off === undefined || entry.config.off.kind === "switch";
      return { ...entry, enabled: enabled && runnable };
    };
    this.#declared = this.#declared?.map(toggle);
    this.#runtime = this.#runtime.map(toggle);
    this.#changed();
    return bearers;
  }

  /** Returns its own undo. */
  registerHook(declaration: HookDeclaration): () => void {
    const entry = toEntry(declaration);
    this.#runtime.push(entry);
    this.#changed();
    return () => {
      this.#runtime = this.#runtime.filter((other) => other.config !== entry.config);
      this.#changed();
    };
  }

  #changed(): void {
    this.#byEvent = undefined;
    this.version += 1;
  }

  /** Built on first use after a change, so that registering many hooks sorts them once. */
  #index(): Map<string, HookRegistryEntry[]> {
    if (this.#byEvent) return this.#byEvent;
    const all = [...this.#runtime, ...(this.#declared ?? [])];
    const inOrder = all.toSorted((a, b) => RUNNING_ORDER.indexOf(a.source) - RUNNING_ORDER.indexOf(b.source));
    const byEvent = new Map<string, HookRegistryEntry[]>();
    for (const entry of inOrder) {
      const lane = byEvent.get(entry.eventName);
      if (lane) lane.push(entry);
      else byEvent.set(entry.eventName, [entry]);
    }
    this.#byEvent = byEvent;
    return byEvent;
  }
}
