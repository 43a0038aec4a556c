import type { OtherDeclaration, Place } from "@hookline/engine/program";

export const ABILITY_KINDS = ["script", "mcp", "http"] as const;
export type AbilityKind = (typeof ABILITY_KINDS)[number];

/** One file of `.system/abilities`: something that the AI, a job or a person can have done. Its `name` is its id. */
export interface AbilityDeclaration extends OtherDeclaration {
  readonly kind: "ability";
  readonly type: AbilityKind;
  /** JSON Schema of its input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Other names it is asked for by: `db.write.user_row`. */
  readonly operationKeys: readonly string[];
  /** Where it may be run; none: anywhere. */
  readonly environments: readonly string[];
  readonly timeoutMs: number;
  /** Globs over project-relative paths that it may change. */
  readonly writes: readonly string[];
  /** Where its names stand, and what it starts: for what all files together make wrong. */
  readonly places: { readonly names: readonly NameAt[]; readonly target: Place };
}

/** A name that an ability is asked for by, and where it stands. */
export interface NameAt {
  readonly name: string;
  readonly place: Place;
}
