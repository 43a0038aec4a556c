import type { DeclarationKind, OtherDeclaration } from "@hookline/engine/program";

/** Whether a declaration may be started, and why not. */
export interface Standing {
  readonly enabled: boolean;
  readonly state: "on" | "off" | "untrusted" | "broken";
  readonly reason: string | null;
}

/** A row of what this program starts besides hooks, with what `list`, `trust` and `validate` show of it. */
export interface ProgramKind<D extends OtherDeclaration = OtherDeclaration> extends DeclarationKind<D> {
  /** Its key in `--json`. */
  readonly jsonKey: string;
  /** The heads of its table in `list`: for its name, its type, and what `about` says. */
  readonly heads: { readonly name: string; readonly type: string; readonly about: string };
  about(declared: D): string;
  listJson(declared: D, standing: Standing): object;
  /** What a person should know to trust it, beside what it starts. */
  trustFacts(declared: D): readonly Fact[];
  trustJson(declared: D): object;
}

export type Fact = readonly [label: string, text: string];

/** A fact about names, if there are any. */
export function named(label: string, names: readonly string[] = []): readonly Fact[] {
  return names.length === 0 ? [] : [[label, names.join(", ")]];
}
