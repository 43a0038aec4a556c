import { fileURLToPath } from "node:url";
import { type DeclarationKind, declaredOf } from "../config/hooks/declarationKind.ts";
import type { Declaration, OtherDeclaration } from "../config/hooks/hookDeclaration.ts";
import { loadLinearEngine, needsLinearEngine } from "../config/hooks/pattern.ts";
import { homeFolder } from "../config/layers/homeFolder.ts";
import { keepBrokenLayers } from "../config/layers/keepBrokenLayers.ts";
import type { LoadedSettings } from "../config/layers/loadedSettings.ts";
import { loadDefinitions } from "../config/layers/loadSettings.ts";
import { refuseUnread } from "../config/layers/unreadSettings.ts";
import { watchSettings } from "../config/layers/watchSettings.ts";
import { isProjectTrusted } from "../config/trust/examine.ts";
import { fingerprint } from "../config/trust/fingerprint.ts";
import { type ProtectedPlaces, protectedPlaces, whyProtected } from "../config/trust/protectedFiles.ts";
import { type Admission, TrustGate } from "../config/trust/trustGate.ts";
import { TrustStore } from "../config/trust/trustStore.ts";
import { TRUST_LEVEL } from "../config/values/configSource.ts";
import { DEFAULT_OPTIONS, type EngineOptions } from "../config/values/options.ts";
import { HooklineError } from "../errors.ts";
import { EVENTS } from "../events/catalog.ts";
import type { HookedEvent, Returnable, SpeltAsInferred } from "../events/inputs.ts";
import { KNOWN_TOOLS, type ToolNames } from "../events/toolNames.ts";
import type { McpContext } from "../events/toolSchemas.ts";
import { ProcessGroups } from "../process/processGroups.ts";
import { spawnerFile } from "../process/spawner/spawnerFile.ts";
import type { Config } from "./config.ts";
import type { EventMethods } from "./eventMethods.ts";
import { HANDLERS } from "./handlers/index.ts";
import { buildEngine, type Engine } from "./hookEngine.ts";
import type { HookEventHandler } from "./hookEventHandler.ts";
import { type HookRunResult, toRunResult } from "./hookRunResult.ts";
import type { HookSystemOptions, HookSystemStatus, SwitchedOff } from "./hookSystemOptions.ts";
import type { HookPlanner } from "./plan/hookPlanner.ts";
import { HookRegistry, type HookRegistryEntry, toEntry } from "./plan/hookRegistry.ts";
import { commitTo, tell } from "./record/eventJournal.ts";
import type { Approval } from "./record/recorder.ts";
import { declareRuntimeHook, type RegisterOptions, type RuntimeHookConfig } from "./registerHook.ts";
import type { RealPaths } from "./run/realPaths.ts";
import type { Fields } from "./run/rewrites.ts";

export class HookSystemNotInitializedError extends HooklineError {
  constructor() {
    super({ code: "NOT_INITIALIZED", what: "The hook system is not initialized." });
    this.name = "HookSystemNotInitializedError";
  }
}

/** Owns the pipeline, built once. The only object that an embedder needs to keep. */
export class HookSystem {
  readonly #config: Config;
  readonly #options: HookSystemOptions;
  readonly #registry = new HookRegistry();
  readonly #groups = new ProcessGroups();
  readonly #spawnerFile: string | undefined;
  #loaded: LoadedSettings | undefined;
  #engineOptions = DEFAULT_OPTIONS;
  #others: readonly OtherDeclaration[] = [];
  #notices: readonly string[] = [];
  #engine: Engine | undefined;
  #starting: Promise<void> | undefined;
  #watcher: { close(): void } | undefined;
  #reloading: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(config: Config, options: HookSystemOptions = {}) {
    this.#config = config;
    this.#options = options;
    const { spawner = spawnerFile(fileURLToPath(new URL("../..", import.meta.url))) } = options;
    this.#spawnerFile = spawner === false ? undefined : spawner;
  }

  /** Idempotent; may be called again after a refusal. Rejects with TRUST_REQUIRED if there is no policy to decide. */
  initialize(): Promise<void> {
    this.#starting ??= this.#start().catch((error: unknown) => {
      this.#starting = undefined;
      throw error;
    });
    return this.#starting;
  }

  getEventHandler(): HookEventHandler & EventMethods {
    return this.#started().handler;
  }

  /** Undefined until `initialize()` is done. Synchronous: a promise would cost more than an event without hooks. */
  getStartedHandler(): (HookEventHandler & EventMethods) | undefined {
    return this.#engine?.handler;
  }

  getRegistry(): HookRegistry {
    this.#started();
    return this.#registry;
  }

  getPlanner(): HookPlanner {
    return this.#started().planner;
  }

  /** The parts behind the classes of `@hookline/engine/components`. */
  getPipeline(): Pick<Engine, "planner" | "runner" | "aggregator" | "catalog"> {
    return this.#started();
  }

  /** As last read, at the start or by a reload. */
  getSettings(): LoadedSettings {
    if (!this.#loaded) throw new HookSystemNotInitializedError();
    return this.#loaded;
  }

  /** From the current settings; the defaults before they are read. */
  getEngineOptions(): EngineOptions {
    return this.#engineOptions;
  }

  /** The declarations of one kind that a program which `starts` it may start: the engine never does. */
  getDeclared<D extends OtherDeclaration>(kind: DeclarationKind<D>): readonly D[] {
    this.#started();
    return declaredOf(kind, this.#others).filter(({ off }) => off === undefined);
  }

  /** The names of all declarations that use this MCP tool: guards on them are asked about the tool. */
  getGuardedNames({ server_name, tool_name }: Pick<McpContext, "server_name" | "tool_name">): readonly string[] {
    return (this.#loaded?.others ?? []).flatMap(({ tool }) =>
      tool?.server === server_name && tool.name === tool_name ? tool.guardedAs : [],
    );
  }

  /**
   * Call it right before every start: returns why a declaration must not be started. Since it was admitted, its
   * files may have changed, and a reload may have brought other settings.
   */
  async getRefusal(declared: OtherDeclaration): Promise<string | undefined> {
    const { gate } = this.#started();
    const current = this.#others.find(
      ({ kind, name, off }) => kind === declared.kind && name === declared.name && off === undefined,
    );
    if (!current) return "is no longer declared, or no longer trusted";
    // Reading and hashing its files takes as long as starting it, and without a reload there is nothing to compare.
    if (current !== declared && fingerprint(current) !== fingerprint(declared))
      return "was changed in the settings; start a new session to use the new version";
    return gate.isUnchanged(current) ? undefined : gate.refusal(current);
  }

  /** Records a person's decision; the approved action waits for that. */
  async recordApproval(approval: Approval): Promise<void> {
    const { recorder } = this.#options;
    if (!recorder) return;
    tell(recorder, { kind: "approval", ...approval });
    await commitTo(recorder);
  }

  /** Why the agent needs approval to write this file (an absolute path): it decides what hooks do. */
  whyProtected(path: string, places = this.getProtectedPlaces()): string | undefined {
    // The settings may have been read again since.
    const current = places?.guarded.settings === this.#loaded?.watch ? places : this.getProtectedPlaces();
    return current && whyProtected(path, current);
  }

  /** What `whyProtected` compares with. A caller that has to wait for hooks anyway can look it up in the meantime. */
  getProtectedPlaces(): ProtectedPlaces | undefined {
    const loaded = this.#loaded;
    if (!loaded) return undefined;
    const { stateDir } = loaded.optionsWithoutProject;
    const { homeDir = homeFolder(), protects = [] } = this.#options;
    const others = [...protects, stateDir, this.#spawnerFile].filter((place) => place !== undefined);
    const declared = [...this.#registry.getAllHooks().map(({ config }) => config), ...this.#others];
    const { projectRoot, watch: settings } = loaded;
    return protectedPlaces({ projectRoot, homeDir, settings, others, declared });
  }

  /** The targets of the paths in a call's arguments; undefined for a tool without paths. */
  getRealPaths(toolName: string, input: Fields): RealPaths | undefined {
    return this.#started().realPaths(toolName, input);
  }

  getToolNames(): ToolNames {
    return this.#options.tools ?? KNOWN_TOOLS;
  }

  getStatus(): HookSystemStatus {
    const entries = this.#engine ? this.#registry.getAllHooks() : [];
    return {
      initialized: this.#engine !== undefined,
      totalHooks: entries.length,
      enabledHooks: entries.filter(({ enabled }) => enabled).length,
      problems: this.#loaded?.problems ?? [],
      untrusted: untrustedIn(entries.map(({ config }) => config)).map(({ name }) => name),
      untrustedOthers: untrustedIn(this.#others).map(({ kind, name }) => ({ kind, name })),
      switchedOff: switchedOffIn(entries),
      notices: this.#notices,
      unmatched: this.#engine?.handler.getUnmatchedCounts() ?? {},
    };
  }

  /** Adds a hook of the embedding program; returns the function that removes it. `Returned` is inferred, and checked for misspelt fields. */
  registerHook<Name extends Exclude<HookedEvent, "any">, const Returned extends Returnable<Name> = Returnable<Name>>(
    hook: RuntimeHookConfig<NoInfer<Name>, Returned & Returnable<Name> & SpeltAsInferred<Returned>>,
    eventName: Name,
    options: RegisterOptions = {},
  ): () => void {
    const { catalog = EVENTS, handlers = HANDLERS } = this.#options;
    const declaration = declareRuntimeHook(hook, eventName, options, { catalog, handlers });
    // Until RE2 is loaded, the pattern runs natively with a time limit.
    if (needsLinearEngine(options.matcher)) loadLinearEngine().catch(() => {});
    return this.#registry.registerHook(declaration);
  }

  /**
   * Entry point for abilities: each hook's result, in plan order. With `blockingOnly` the hooks that do not block are
   * started but not awaited; without it, all are awaited.
   */
  async runHooks(
    eventName: string,
    context: Fields,
    { blockingOnly = false }: { readonly blockingOnly?: boolean } = {},
  ): Promise<HookRunResult[]> {
    await this.initialize();
    const { results } = await this.getEventHandler().fire(eventName, context, { waitForAll: !blockingOnly });
    return results.map(toRunResult);
  }

  /** Reads the settings again. A project guard that disappeared keeps blocking its events until a person confirms. */
  reload(): Promise<void> {
    const { gate } = this.#started();
    const reloaded = this.#reloading.then(async () => {
      const loaded = keepBrokenLayers(this.#loaded, await this.#load());
      this.#adopt(loaded, await gate.readmit(loaded));
    });
    // One at a time; a failed reload does not stop the next.
    this.#reloading = reloaded.catch(() => {});
    return reloaded;
  }

  /** Waits for non-blocking hooks; a signal aborts those still running. */
  async settle(signal?: AbortSignal): Promise<void> {
    await this.#engine?.handler.settle(signal);
  }

  /**
   * Ends everything that still runs, and stops watching. An event that its hooks had not answered, or that begins
   * later, is blocked if it can be.
   */
  async dispose(): Promise<void> {
    this.#disposed = true;
    this.#watcher?.close();
    this.#engine?.handler.abandon();
    const ended = this.#engine?.runner.dispose();
    await this.#engine?.handler.settle();
    await ended;
    this.#groups.dispose();
  }

  async #start(): Promise<void> {
    if (process.platform === "win32") {
      throw new HooklineError({ code: "PLATFORM_UNSUPPORTED", what: "Windows is not supported yet." });
    }
    const { homeDir = homeFolder(), trust: policy, starts = [] } = this.#options;
    const loaded = await this.#load();
    await refuseUnread(loaded, this.#options.unreadSettings);
    const gate = new TrustGate(loaded.projectRoot, new TrustStore(homeDir), { policy, starts });
    this.#adopt(loaded, await gate.admit(loaded));
    this.#engine = buildEngine({
      config: this.#config,
      options: this.#options,
      projectRoot: loaded.projectRoot,
      gate,
      registry: this.#registry,
      groups: this.#groups,
      spawnerFile: this.#spawnerFile,
      getOptions: () => this.#engineOptions,
    });
    if (this.#disposed) await this.#engine.runner.dispose();
    else if (this.#options.watch) this.#watch(loaded);
  }

  #watch({ watch }: LoadedSettings): void {
    this.#watcher = watchSettings(watch, () => {
      this.reload().catch((error: unknown) => {
        this.#notices = [...this.#notices, `The settings could not be read again: ${String(error)}`];
      });
    });
  }

  async #load(): Promise<LoadedSettings> {
    const loaded = await this.#readSettings();
    if (loaded.hooks.some(({ matcher }) => needsLinearEngine(matcher))) await loadLinearEngine();
    return loaded;
  }

  #readSettings(): Promise<LoadedSettings> {
    const { catalog = EVENTS, handlers = HANDLERS } = this.#options;
    const config = this.#config;
    if (config.loadSettings) return config.loadSettings();
    return loadDefinitions(config.getHooks() ?? {}, {
      workingDir: config.getWorkingDir(),
      extensions: config.getExtensions() ?? [],
      catalog,
      kinds: handlers.map(({ kind }) => kind),
    });
  }

  #adopt(loaded: LoadedSettings, { hooks, others, withdrawn, notices }: Admission): void {
    this.#loaded = loaded;
    this.#others = others;
    const isTrusted = isProjectTrusted({ hooks, others });
    this.#engineOptions = isTrusted ? loaded.options : loaded.optionsWithoutProject;
    this.#notices = [
      ...notices,
      ...withdrawn.map(({ hook, reason }) => `"${hook.name}" (${hook.eventName}) ${reason}`),
    ];
    const standing = withdrawn.map(({ hook, reason }) => ({ ...toEntry(hook), enabled: false, withheld: reason }));
    this.#registry.adopt([...hooks.map(toEntry), ...standing]);
  }

  #started(): Engine {
    if (!this.#engine) throw new HookSystemNotInitializedError();
    return this.#engine;
  }
}

function untrustedIn(declared: readonly Declaration[]): readonly Declaration[] {
  return declared.filter(({ off }) => off?.kind === "untrusted");
}

function switchedOffIn(entries: readonly HookRegistryEntry[]): readonly SwitchedOff[] {
  return entries
    .toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source])
    .flatMap(({ config: { name, eventName, off } }) =>
      off?.kind === "switch" ? [{ name, eventName, what: off.what, by: off.by }] : [],
    );
}
