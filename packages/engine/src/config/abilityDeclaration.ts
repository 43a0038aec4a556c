import type { Declaration } from "./hookDeclaration.ts";

export const ABILITY_KINDS = ["script", "mcp", "http"] as const;
export type AbilityKind = (typeof ABILITY_KINDS)[number];

/** One file of `.system/abilities`: something that the AI, a job or a person can have done. Its `name` is its id. */
export interface AbilityDeclaration extends Declaration {
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
}
