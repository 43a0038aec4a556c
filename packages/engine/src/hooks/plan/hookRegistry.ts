import type { HookDeclaration } from "../../config/hooks/hookDeclaration.ts";
import { type ConfigSource, RUNNING_ORDER } from "../../config/values/configSource.ts";
import { HooklineError } from "../../errors.ts";
import type { Config } from "../config.ts";
import { hookSystemOf } from "../hookSystemOf.ts";

/** A hook in the pipeline. `enabled` is false for every declared hook that does not run. */
export interface HookRegistryEntry {
  readonly config: HookDeclaration;
  readonly source: ConfigSource;
  readonly eventName: string;
  readonly matcher: string | undefined;
  readonly sequential: boolean;
  readonly enabled: boolean;
  /** Set if a person must review it first: the hook was changed or removed after it had been trusted. */
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

/** Why a hook never runs. A broken hook that blocks on errors does run: its failure to start is an answer. */
export function idleReason({ enabled, config, withheld }: HookRegistryEntry): string | null {
  if (enabled || withheld !== undefined) return null;
  const { off, onError } = config;
  if (off === undefined) return "it was disabled in this session";
  switch (off.kind) {
    case "switch":
      return off.what;
    case "untrusted":
      return off.what;
    case "broken":
      return onError === "block" ? null : off.problem.what;
  }
}

/** All hooks, indexed by event in running order. `version` changes with the content, so that plans can be cached. */
export class HookRegistry {
  readonly #config: Pick<Config, "getHookSystem"> | undefined;
  #content = new RegistryContent();

  /** With a config, delegates after initialization to the registry of the config's hook system: loaded and admitted once for both. */
  constructor(config?: Pick<Config, "getHookSystem">) {
    this.#config = config;
  }

  get version(): number {
    return this.#content.version;
  }

  async initialize(): Promise<void> {
    const system = this.#config && hookSystemOf(this.#config);
    if (!system) return this.#content.declared ? undefined : this.adopt([]);
    await system.initialize();
    this.#content = system.getRegistry().#content;
  }

  /** Replaces the declared hooks; also called after a reload. Runtime hooks stay. */
  adopt(declared: readonly HookRegistryEntry[]): void {
    this.#content.declared = declared;
    this.#content.changed();
  }

  /** The hooks that may run for the event. */
  getHooksForEvent(eventName: string): HookRegistryEntry[] {
    return this.getDeclaredForEvent(eventName).filter((entry) => idleReason(entry) === null);
  }

  /** The hooks that may run, and those that are off, broken or untrusted. */
  getDeclaredForEvent(eventName: string): readonly HookRegistryEntry[] {
    return this.#initialized().byEvent().get(eventName) ?? [];
  }

  /** All declared hooks, running or not. */
  getAllHooks(): HookRegistryEntry[] {
    return [...this.#initialized().byEvent().values()].flat();
  }

  /** Changes only memory, for every hook with the name; returns their number. */
  setHookEnabled(name: string, enabled: boolean): number {
    let bearers = 0;
    const toggle = (entry: HookRegistryEntry): HookRegistryEntry => {
      if (entry.config.name !== name) return entry;
      bearers += 1;
      const runnable = entry.config.off === undefined || entry.config.off.kind === "switch";
      return { ...entry, enabled: enabled && runnable };
    };
    const content = this.#content;
    content.declared = content.declared?.map(toggle);
    content.runtime = content.runtime.map(toggle);
    content.changed();
    return bearers;
  }

  /** Returns the function that removes it. */
  registerHook(declaration: HookDeclaration): () => void {
    const entry = toEntry(declaration);
    const content = this.#content;
    content.runtime.push(entry);
    content.changed();
    return () => {
      content.runtime = content.runtime.filter((other) => other.config !== entry.config);
      content.changed();
    };
  }

  #initialized(): RegistryContent {
    if (!this.#content.declared) throw new HookRegistryNotInitializedError();
    return this.#content;
  }
}

class RegistryContent {
  declared: readonly HookRegistryEntry[] | undefined;
  runtime: HookRegistryEntry[] = [];
  version = 0;
  #byEvent: Map<string, HookRegistryEntry[]> | undefined;

  changed(): void {
    this.#byEvent = undefined;
    this.version += 1;
  }

  /** Built on first use after a change, so that registering many hooks sorts them once. */
  byEvent(): Map<string, HookRegistryEntry[]> {
    if (this.#byEvent) return this.#byEvent;
    const all = [...this.runtime, ...(this.declared ?? [])];
    const inOrder = all.toSorted((a, b) => RUNNING_ORDER.indexOf(a.source) - RUNNING_ORDER.indexOf(b.source));
    const byEvent = new Map<string, HookRegistryEntry[]>();
    for (const entry of inOrder) {
      const known = byEvent.get(entry.eventName);
      if (known) known.push(entry);
      else byEvent.set(entry.eventName, [entry]);
    }
    this.#byEvent = byEvent;
    return byEvent;
  }
}
