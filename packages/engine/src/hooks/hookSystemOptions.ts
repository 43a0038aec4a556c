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
  /** Who decides about project code that nobody trusted yet; without it, `initialize()` refuses to go on. */
  readonly trust?: TrustPolicy;
  /** What this program starts besides hooks; default nothing. What it does not start is not asked for, and not handed out. */
  readonly starts?: readonly DeclarationKind[];
  /** Who decides about settings files that cannot be read; without it, `initialize()` rejects with the first problem. */
  readonly unreadSettings?: UnreadPolicy;
  readonly recorder?: Recorder;
  /** What the program's OpenTelemetry SDK gets to see, if it has one; `false` for nothing. */
  readonly telemetry?: TelemetryOptions | false;
  /** Reload by itself when a settings file changes. */
  readonly watch?: boolean;
  readonly homeDir?: string;
  /** A folder for what the hooks of a project keep between events; they find it in HOOKLINE_HOOK_STATE. */
  readonly hookState?: (projectRoot: string) => string | undefined;
  /** Further files and folders that an agent's tools may write only with a person's yes. */
  readonly protects?: readonly string[];
  readonly catalog?: EventCatalog;
  readonly tools?: ToolNames;
  readonly handlers?: readonly HookHandler[];
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
  /** What is wrong with the configuration. */
  readonly problems: readonly Problem[];
  /** Hooks that are declared and do not run because nobody trusted them. */
  readonly untrusted: readonly string[];
  /** What else is declared and may not be started because nobody trusted it. */
  readonly untrustedOthers: readonly Pick<OtherDeclaration, "kind" | "name">[];
  /** Hooks that a switch in a settings file turns off, the most trusted first. */
  readonly switchedOff: readonly SwitchedOff[];
  readonly notices: readonly string[];
  /** Events that no hook matched, counted by name. */
  readonly unmatched: Readonly<Record<string, number>>;
}
