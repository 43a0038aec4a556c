import type { HookDeclaration, OtherDeclaration } from "../hooks/hookDeclaration.ts";
import type { ConfigSource } from "../values/configSource.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Problem } from "../values/problem.ts";

export interface Extension {
  readonly name?: string | undefined;
  /** Its folder, where `hooks/hooks.json` is read and relative commands are looked up. */
  readonly path?: string | undefined;
  readonly isActive: boolean;
  /** Hooks that it declares without a file, in the form of a settings file. */
  readonly hooks?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The combined content of all settings layers, in running order, with problems and the files that were read. */
export interface LoadedSettings {
  readonly projectRoot: string;
  readonly hooks: readonly HookDeclaration[];
  /** Declarations other than hooks, of the kinds that the program defines. */
  readonly others: readonly OtherDeclaration[];
  readonly options: EngineOptions;
  /** The options while the project is not trusted: its files must not relax anything for hooks of other layers. */
  readonly optionsWithoutProject: EngineOptions;
  readonly approvals: ApprovalSettings;
  readonly problems: readonly Problem[];
  readonly layers: readonly LayerStatus[];
  /** The problems that keep a whole file or folder, with any guards it declares, from being read. */
  readonly unread: readonly Problem[];
  /** Files and folders, existing or not, that trigger a reload when they change. */
  readonly watch: readonly string[];
}

/** `approvals`: how a person decides. Read from user and system files only. */
export interface ApprovalSettings {
  /** Allows commands that decide for a person to run without a terminal. */
  readonly withoutTerminal: boolean;
}

export interface LayerStatus {
  readonly source: ConfigSource;
  readonly file: string;
  readonly state: "loaded" | "absent" | "broken";
  readonly hooks: number;
}
