import type { DeclarationKind } from "../config/hooks/declarationKind.ts";
import type { OtherDeclaration } from "../config/hooks/hookDeclaration.ts";
import type { UnreadPolicy } from "../config/layers/unreadSettings.ts";
import type { TrustPolicy } from "../config/trust/trustGate.ts";
import type { Problem } from "../config/values/problem.ts";
import type { Place } from "../errors.ts";
import type { EventCatalog } from "../events/eventSpec.ts";
import type { ToolNames } from "../events/toolNames.ts";
import type { HookHandler } from "./handlers/handler.ts";
import type { Recorder } from "./record/recorder.ts";
import type { TelemetryOptions } from "./telemetry/telemetry.ts";

export interface HookSystemOptions {
  /** Decides about project code that is not trusted yet; without it, `initialize()` rejects. */
  readonly trust?: TrustPolicy;
  /** The kinds other than hooks that this program starts; default none. Other kinds need no trust and are not returned. */
  readonly starts?: readonly DeclarationKind[];
  /** Decides about unreadable settings files; without it, `initialize()` rejects with the first problem. */
  readonly unreadSettings?: UnreadPolicy;
  readonly recorder?: Recorder;
  /** What is reported to the program's OpenTelemetry SDK, if it has one; `false` for nothing. */
  readonly telemetry?: TelemetryOptions | false;
  /** Reload automatically when a settings file changes. */
  readonly watch?: boolean;
  readonly homeDir?: string;
  /** The environment of everything that hooks start; default that of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** For a program that serves several sessions: the environment of the event in progress, for command hooks. Warm processes have `env`. */
  readonly eventEnv?: () => Readonly<Record<string, string>> | undefined;
  /** A folder where a project's hooks keep state between events; they find it in HOOKLINE_HOOK_STATE. */
  readonly hookState?: (projectRoot: string) => string | undefined;
  /** Further files and folders that an agent's tools may write only with approval. */
  readonly protects?: readonly string[];
  readonly catalog?: EventCatalog;
  readonly tools?: ToolNames;
  readonly handlers?: readonly HookHandler[];
  /** The native program that starts the processes of command hooks; default the one in this package. `false`: Node starts them. */
  readonly spawner?: string | false;
}

export interface SwitchedOff {
  readonly name: string;
  readonly eventName: string;
  /** As written in the file: `hooksConfig.enabled: false`. */
  readonly what: string;
  readonly by: Place;
}

export interface HookSystemStatus {
  readonly initialized: boolean;
  readonly totalHooks: number;
  readonly enabledHooks: number;
  /** Problems of the configuration. */
  readonly problems: readonly Problem[];
  /** Declared hooks that do not run because they are not trusted. */
  readonly untrusted: readonly string[];
  /** Other declarations that must not be started because they are not trusted. */
  readonly untrustedOthers: readonly Pick<OtherDeclaration, "kind" | "name">[];
  /** Hooks that a switch in a settings file turns off, the most trusted first. */
  readonly switchedOff: readonly SwitchedOff[];
  readonly notices: readonly string[];
  /** Events that no hook matched, counted by name. */
  readonly unmatched: Readonly<Record<string, number>>;
}
