import type { z } from "zod";
import type { Place } from "../../errors.ts";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Problem, ProblemText } from "../values/problem.ts";

/** The conditions of a YAML `match` block; all given ones must hold. */
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
  /** The command as written: the same wherever the project is checked out. */
  readonly written?: string;
  /** Files whose content the fingerprint covers: the started program or script. */
  readonly files: readonly string[];
  /** Words of the definition that look like code the fingerprint does not cover; shown by `trust`. */
  readonly uncovered: readonly string[];
}

/** Why a declaration does not run. */
export type Off =
  | { readonly kind: "switch"; readonly by: Place; readonly what: string }
  | { readonly kind: "broken"; readonly problem: Problem }
  | { readonly kind: "untrusted"; readonly what: string };

/** Something in a project's or a person's files that starts code and needs trust. A declaration that is off stays listed, with the reason. */
export interface Declaration {
  /** `hook`, or the `kind` of a `DeclarationKind`. */
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
  /** The definition gives no name: the command, module or url is used instead. */
  readonly unnamed?: true;
  readonly eventName: string;
  readonly matcher?: string;
  readonly match: MatchConditions;
  readonly sequential: boolean;
  /** What it starts and the time limit, as written; `target` and `timeoutMs` hold the resolved values. */
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

/** A declaration other than a hook, of a kind that the embedding program defines. */
export interface OtherDeclaration extends Declaration {
  /** What a person trusts in addition to the target and the environment. */
  readonly definition: readonly unknown[];
  /** The MCP tool that does its work, and the names under which guards know it: guards are also asked about the tool itself. */
  readonly tool?: { readonly server: string; readonly name: string; readonly guardedAs: readonly string[] };
}

export type AnyDeclaration = HookDeclaration | OtherDeclaration;

/** Where the relative paths of one declaration are looked up, in this order. */
export interface Lookup {
  readonly dirs: readonly string[];
  readonly path: string;
  /** The values of these variables when the command runs, so that they can be filled in early. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The root of the project that the declaration comes from; absent for other layers. */
  readonly project?: string;
}

/** The fields that only this kind has. */
export interface OwnFields {
  readonly names: readonly string[];
  /** Checks the values without the schema: building schemas takes longer than reading a settings file. */
  readonly areFine: (given: Readonly<Record<string, unknown>>) => boolean;
  /** Reports what is wrong with invalid values, and describes the fields to editors. */
  readonly schema: () => z.ZodObject;
}

/** The configuration side of a hook kind: how it is spelled, and what it starts. */
export interface KindSpec {
  readonly type: string;
  /** `handler.kind` in YAML; null where a file cannot declare this kind. */
  readonly yamlKind: string | null;
  readonly fields: OwnFields;
  /** Common hook fields that have no meaning for this kind: setting one is reported. */
  readonly ignores?: readonly string[];
  /** Throws a `HooklineError` (COMMAND_NOT_FOUND) that names the places looked at. */
  readonly resolve: (fields: Readonly<Record<string, unknown>>, lookup: Lookup) => Target;
  /** Its files are read once and cached, so a watcher of the settings must watch them too. */
  readonly keepsFiles?: true;
  /** What the merged options forbid this declaration. The hook still runs, and fails; the problem is reported at load. */
  unmet?(declared: Pick<Declaration, "target" | "passEnv">, options: EngineOptions): readonly ProblemText[];
}

/** Whether a hook's decision takes effect: an observing or non-blocking hook changes nothing. */
export function takesEffect({ mode, blocking }: Pick<HookDeclaration, "mode" | "blocking">): boolean {
  return mode === "enforce" && blocking;
}
