import type { OtherDeclaration, Place } from "@hookline/engine/program";

export const ABILITY_KINDS = ["script", "mcp", "http"] as const;
export type AbilityKind = (typeof ABILITY_KINDS)[number];

/** A file of `.system/abilities`: an operation that the AI, a job or a person can run. Its `name` is its id. */
export interface AbilityDeclaration extends OtherDeclaration {
  readonly kind: "ability";
  readonly type: AbilityKind;
  /** The JSON Schema of its input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Other names that callers can use: `db.write.user_row`. */
  readonly operationKeys: readonly string[];
  /** The environments that it may run in; empty: all. */
  readonly environments: readonly string[];
  readonly timeoutMs: number;
  /** Globs for the project-relative paths that it may change. */
  readonly writes: readonly string[];
  /** Places of its names and of its target, for problems that involve several files. */
  readonly places: { readonly names: readonly NameAt[]; readonly target: Place };
}

/** A name of an ability, and its place. */
export interface NameAt {
  readonly name: string;
  readonly place: Place;
}
