import type { z } from "zod";
import type { Place } from "../errors.ts";

export const ConfigSource = {
  Runtime: "runtime",
  Project: "project",
  User: "user",
  System: "system",
  Extensions: "extensions",
} as const;
export type ConfigSource = (typeof ConfigSource)[keyof typeof ConfigSource];

/** The order in which sources run and merge. */
export const RUNNING_ORDER: readonly ConfigSource[] = ["runtime", "project", "user", "system", "extensions"];

/** Who may overrule whom: a switch acts on its own level and below, never upwards. */
export const TRUST_LEVEL: Readonly<Record<ConfigSource, number>> = {
  runtime: 5,
  system: 4,
  user: 3,
  project: 2,
  extensions: 1,
};

/** Whose files these are: a switch in a `.gemini` file acts on hooks from `.gemini` files only. */
export type FileFamily = "hookline" | "gemini";

/** Something a person should know about their configuration. Errors disable what they name; warnings do not. */
export interface Problem {
  readonly severity: "error" | "warning";
  /** Of the table of the engine, or of the program that brings the kind. */
  readonly code: string;
  readonly where: Place;
  readonly what: string;
  readonly next: string;
}

/** The conditions of a YAML `match` block; all that are given must hold. */
export interface MatchConditions {
  readonly abilityScope?: readonly string[];
  readonly minDurationMs?: number;
  readonly onlyIfChangedPaths?: readonly string[];
}

/** What a declaration starts, after its relative paths have been looked up. */
export interface Target {
  /** The kind's own fields, ready to run (for `command`: `{ command, argv? }`). */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Two hooks with the same identity (and env, trust and view) are duplicates. */
  readonly identity: unknown;
  /** A command as it was written, which is the same wherever the project lies. */
  readonly written?: string;
  /** Files whose content the fingerprint covers: the program or script that is started. */
  readonly files: readonly string[];
  /** Words of the definition that look like code the fingerprint does not cover; shown by `trust`. */
  readonly uncovered: readonly string[];
}

/** Why what is declared does not run. */
export type Off =
  | { readonly kind: "switch"; readonly by: Place; readonly what: string }
  | { readonly kind: "broken"; readonly problem: Problem }
  | { readonly kind: "untrusted"; readonly what: string };

/** Something in a project's or a person's files that starts code: what a person is asked to trust. What is off stays listed, with the reason. */
export interface Declaration {
  /** `hook`, or the tag of a row (`declarationKind.ts`). */
  readonly kind: string;
  readonly name: string;
  readonly description?: string;
  readonly source: ConfigSource;
  readonly family: FileFamily;
  readonly place: Place;
  readonly type: string;
  /** Absent when `off.kind` is `broken`. */
  readonly target?: Target;
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly off?: Off;
}

/** One declared hook, normalised from either file form. */
export interface HookDeclaration extends Declaration {
  readonly kind: "hook";
  /** It was given none, and bears its command, module or url. */
  readonly unnamed?: true;
  readonly eventName: string;
  readonly matcher?: string;
  readonly match: MatchConditions;
  readonly sequential: boolean;
  /** What it starts and how long that may take, as the definition has it; `target` and `timeoutMs` say what that means. */
  readonly command?: string;
  readonly module?: string;
  readonly url?: string;
  readonly timeout?: string | number;
  readonly timeoutMs: number;
  /** Further attempts after a failure; absent: none. */
  readonly retries?: number;
  readonly onError: "allow" | "block";
  readonly mode: "enforce" | "observe";
  readonly blocking: boolean;
  readonly hold: boolean;
  readonly replay: "run" | "skip";
}

/** Something besides a hook that may be started, by a program that brings its row. */
export interface OtherDeclaration extends Declaration {
  /** What a person trusts, besides what it starts and its environment. */
  readonly definition: readonly unknown[];
  /** The tool of an MCP server that does its work, and the names under which guards know it: they are asked about the tool itself, too. */
  readonly tool?: { readonly server: string; readonly name: string; readonly guardedAs: readonly string[] };
}

export type AnyDeclaration = HookDeclaration | OtherDeclaration;

/** Where the relative paths of one declaration are looked up, in this order. */
export interface Lookup {
  readonly dirs: readonly string[];
  readonly path: string;
  /** What these variables hold when the command runs, so that they can be filled in before. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The root of the project that the declaration comes from; absent for those of other layers. */
  readonly project?: string;
}

export type Finding = Pick<Problem, "what" | "next">;

/** The fields that only this kind has. */
export interface OwnFields {
  readonly names: readonly string[];
  /** Whether the values can be used, told without the schema: building schemas takes longer than reading a settings file. */
  readonly areFine: (given: Readonly<Record<string, unknown>>) => boolean;
  /** Says what is wrong with values that are not fine, and describes the fields to editors. */
  readonly schema: () => z.ZodObject;
}

/** The configuration side of a hook kind: how it is spelt, and what it starts. */
export interface KindSpec {
  readonly type: string;
  /** `handler.kind` in YAML; null where a file cannot declare this kind. */
  readonly yamlKind: string | null;
  readonly fields: OwnFields;
  /** Fields of every hook that mean nothing to this kind: whoever sets one is told. */
  readonly ignores?: readonly string[];
  /** Throws a `HooklineError` (COMMAND_NOT_FOUND) that names the places looked at. */
  readonly resolve: (fields: Readonly<Record<string, unknown>>, lookup: Lookup) => Target;
  /** Its files are read once and kept, so whoever watches the settings watches them too. */
  readonly keepsFiles?: true;
  /** What a declaration may not do under the options of all layers. A hook runs and fails, and is reported at load. */
  unmet?(declared: Pick<Declaration, "target" | "passEnv">, options: EngineOptions): readonly Finding[];
}

/** `hooksConfig` keys other than the switches. */
export interface EngineOptions {
  readonly maxParallel: number;
  readonly killGraceMs: number;
  readonly outputLimitBytes: number;
  readonly workerIdleMs: number;
  readonly passEnv: readonly string[];
  readonly allowSkipsConfirmation: boolean;
  readonly httpAllowHosts: readonly string[];
  /** Where a program that keeps state keeps it, instead of the user's folder; the engine only reads the setting. */
  readonly stateDir?: string;
  /** What is kept of what happens, by a program that keeps it; the engine only reads the setting. */
  readonly journal: JournalOptions;
}

export interface JournalOptions {
  readonly enabled: boolean;
  /** Older records are removed. */
  readonly maxAgeMs: number;
  /** Of the file; the oldest records make room. */
  readonly maxBytes: number;
  /** Of one payload: an input, an output, a text; 0: nothing of any is kept. */
  readonly payloadBytes: number;
  /** Whether texts are kept that hooks rewrote or withheld. */
  readonly originals: boolean;
  /** Names of JSON fields whose values are not written down, besides those that everybody takes for secrets. */
  readonly redactKeys: readonly string[];
  /** What matches is not written down. */
  readonly redactPatterns: readonly string[];
}

export const DEFAULT_OPTIONS: EngineOptions = {
  maxParallel: 8,
  killGraceMs: 2_000,
  outputLimitBytes: 1024 * 1024,
  workerIdleMs: 300_000,
  passEnv: [],
  allowSkipsConfirmation: false,
  httpAllowHosts: [],
  journal: {
    enabled: true,
    maxAgeMs: 30 * 24 * 3_600_000,
    maxBytes: 1024 ** 3,
    payloadBytes: 64 * 1024,
    originals: false,
    redactKeys: [],
    redactPatterns: [],
  },
};

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

/** Whether what a hook decides takes effect: one that observes, or does not block, changes nothing. */
export function takesEffect({ mode, blocking }: Pick<HookDeclaration, "mode" | "blocking">): boolean {
  return mode === "enforce" && blocking;
}
