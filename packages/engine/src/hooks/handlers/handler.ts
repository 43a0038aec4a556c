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
  /** By `performance.now()`. */
  readonly startedAt: number;
  /** Set by the kind: how long the run waited for a slot or a descriptor, which is not the hook's time. */
  waitedMs: number;
  /** What is left of the hook's time, for another attempt. */
  timeoutMs: number;
  /** Set by a kind that keeps what it started: what the process or module that is asked was started from. */
  files: StartedFiles | undefined;
}

/** What the hook system lends to every kind. */
export interface Services {
  readonly projectRoot: string;
  /** Asked anew for every run: a reload may change them. */
  readonly getOptions: () => EngineOptions;
  readonly groups: ProcessGroups;
  readonly environment: HookEnvironment;
  readonly lateTimers: LateTimers;
  /** For the processes of all events together. */
  readonly slots: ProcessSlots;
  readonly openRuns: OpenRuns;
  /** Whether anybody reads what is only worth recording. */
  readonly recorded: boolean;
  /** The state of the files that the hook starts; see `sameStamps`. */
  readonly stampsOf: (hook: HookDeclaration) => readonly FileStamp[];
  readonly eventNames: readonly string[];
  readonly getSessionId: () => string;
  readonly getWorkingDir: () => string;
}

/** A kind of hook: how it is declared, and how it runs. One file each; `handlers/index.ts` names them. */
export interface HookHandler {
  readonly kind: KindSpec;
  /** Called once per hook system: what a kind keeps (processes, connections, modules) belongs to the system. */
  start(services: Services): StartedKind;
}

/** A kind at work in one hook system. */
export interface StartedKind {
  /** Never rejects: whatever happens is an ending. */
  run(run: HookRun): Promise<Ending>;
  /** It keeps what it started or loaded, and sets `files` of each run. Other kinds start anew at every run. */
  readonly keeps?: true;
  /** Names of variables that its environment lacks because they look like credentials. */
  withheldFrom?(hook: HookRegistryEntry): readonly string[];
  /** Lets go of everything it keeps. */
  dispose?(): void | Promise<void>;
}
