import type { HookDeclaration, KindSpec } from "../../config/hooks/hookDeclaration.ts";
import type { FileStamp } from "../../config/values/fileContent.ts";
import type { EngineOptions } from "../../config/values/options.ts";
import type { ProcessGroups } from "../../process/processGroups.ts";
import type { ProcessSlots } from "../../process/processSlots.ts";
import type { Ending } from "../answer/ending.ts";
import type { HookRegistryEntry } from "../plan/hookRegistry.ts";
import type { EventValue, View } from "../run/eventValue.ts";
import type { HookEnvironment } from "../run/hookEnvironment.ts";
import type { LateTimers } from "../run/lateTimers.ts";
import type { OpenRuns } from "../run/openRuns.ts";
import type { StartedFiles } from "../run/startedFiles.ts";

/** One run of one hook. */
export interface HookRun {
  readonly hook: HookRegistryEntry;
  readonly value: EventValue;
  readonly view: View;
  readonly signal: AbortSignal | undefined;
  /** From `performance.now()`. */
  readonly startedAt: number;
  /** Set by the kind: how long the run waited for a slot or a descriptor, which does not count towards the timeout. */
  waitedMs: number;
  /** The time for all its attempts: its own timeout, or what is left for the event. */
  limitMs: number;
  /** The remaining time, also for retries. */
  timeoutMs: number;
  /** Set by a kind that keeps processes or modules: the files that this one was started from. */
  files: StartedFiles | undefined;
}

/** What the hook system provides to every kind. */
export interface Services {
  readonly projectRoot: string;
  /** Called for every run: a reload may change the options. */
  readonly getOptions: () => EngineOptions;
  readonly groups: ProcessGroups;
  readonly environment: HookEnvironment;
  readonly lateTimers: LateTimers;
  /** Shared by the processes of all events. */
  readonly slots: ProcessSlots;
  readonly openRuns: OpenRuns;
  /** The native program that starts processes; undefined to start them without it. */
  readonly spawnerFile: string | undefined;
  /** Whether there is a reader for information that is only recorded. */
  readonly recorded: boolean;
  /** The stamps of the files that the hook starts; see `sameStamps`. */
  readonly stampsOf: (hook: HookDeclaration) => readonly FileStamp[];
  readonly eventNames: readonly string[];
  readonly getSessionId: () => string;
  readonly getWorkingDir: () => string;
  /** The environment of the event's session; undefined: that of this process. */
  readonly getEventEnv: () => Readonly<Record<string, string>> | undefined;
}

/** A kind of hook: how it is declared, and how it runs. One file each; `handlers/index.ts` lists them. */
export interface HookHandler {
  readonly kind: KindSpec;
  /** Called once per hook system, which owns what a kind keeps (processes, connections, modules). */
  start(services: Services): StartedKind;
}

/** A kind, started in one hook system. */
export interface StartedKind {
  /** Never rejects: whatever happens is an ending. */
  run(run: HookRun): Promise<Ending>;
  /** It keeps what it started or loaded, and sets `files` of each run. Other kinds start from scratch at every run. */
  readonly keeps?: true;
  /** Names of variables withheld from its environment because they look like credentials. */
  withheldFrom?(hook: HookRegistryEntry): readonly string[];
  /** Releases everything it keeps. */
  dispose?(): void | Promise<void>;
}
