import type { z } from "zod";
import type { Place } from "../../errors.ts";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Finding, Problem } from "../values/problem.ts";

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

/** Whether what a hook decides takes effect: one that observes, or does not block, changes nothing. */
export function takesEffect({ mode, blocking }: Pick<HookDeclaration, "mode" | "blocking">): boolean {
  return mode === "enforce" && blocking;
}
