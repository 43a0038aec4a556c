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

/** Everything the settings layers say, in running order, with what is wrong and what was read. */
export interface LoadedSettings {
  readonly projectRoot: string;
  readonly hooks: readonly HookDeclaration[];
  /** What else may be started, of the kinds that the program brings. */
  readonly others: readonly OtherDeclaration[];
  readonly options: EngineOptions;
  /** What holds while the project is not trusted: its files must not loosen anything for other people's hooks. */
  readonly optionsWithoutProject: EngineOptions;
  readonly approvals: ApprovalSettings;
  readonly problems: readonly Problem[];
  readonly layers: readonly LayerStatus[];
  /** Those problems that keep a whole file or folder, and whatever guards it declares, from being read. */
  readonly unread: readonly Problem[];
  /** Files and folders whose change asks for a reload, existing or not. */
  readonly watch: readonly string[];
}

/** `approvals`: how a person decides. Read from user and system files only. */
export interface ApprovalSettings {
  /** Commands that decide for a person work without a terminal. */
  readonly withoutTerminal: boolean;
}

export interface LayerStatus {
  readonly source: ConfigSource;
  readonly file: string;
  readonly state: "loaded" | "absent" | "broken";
  readonly hooks: number;
}
