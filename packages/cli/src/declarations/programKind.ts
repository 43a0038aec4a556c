import type { DeclarationKind, OtherDeclaration } from "@hookline/engine/program";

/** Whether a declaration may start, and why not. */
export interface Standing {
  readonly enabled: boolean;
  readonly state: "on" | "off" | "untrusted" | "broken";
  readonly reason: string | null;
}

/** A declaration kind of this program, with its columns for `list`, `trust` and `validate`. */
export interface ProgramKind<D extends OtherDeclaration = OtherDeclaration> extends DeclarationKind<D> {
  /** Its key in `--json`. */
  readonly jsonKey: string;
  /** The column heads of its table in `list`: for name, type and `about`. */
  readonly heads: { readonly name: string; readonly type: string; readonly about: string };
  about(declared: D): string;
  listJson(declared: D, standing: Standing): object;
  /** Facts for a trust decision, besides what the declaration starts. */
  trustFacts(declared: D): readonly Fact[];
  trustJson(declared: D): object;
}

export type Fact = readonly [label: string, text: string];

/** A fact that lists names; empty without names. */
export function named(label: string, names: readonly string[] = []): readonly Fact[] {
  return names.length === 0 ? [] : [[label, names.join(", ")]];
}
