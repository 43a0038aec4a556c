import type { z } from "zod";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import type { Located } from "../values/located.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Problem } from "../values/problem.ts";
import type { Declaration, KindSpec, Lookup, OtherDeclaration } from "./hookDeclaration.ts";

/** How a kind is called: `an MCP server`, `MCP server`, `MCP servers`. */
export interface DeclarationWords {
  readonly one: string;
  readonly word: string;
  readonly many: string;
}

export const HOOK_WORDS: DeclarationWords = { one: "a hook", word: "hook", many: "hooks" };

/** The file a declaration comes from, and how its paths are looked up. */
export interface DeclarationOrigin {
  readonly file: string;
  readonly source: ConfigSource;
  readonly family: FileFamily;
  /** The kinds of hooks: what is started or called like one is found by the same rules. */
  readonly kinds: readonly KindSpec[];
  readonly lookup: Lookup;
}

export interface Declared<D extends Declaration> {
  readonly declared: readonly D[];
  readonly problems: readonly Problem[];
}

/** What all files together say. */
export interface DeclarationContext {
  readonly options: EngineOptions;
  readonly kinds: readonly KindSpec[];
  /** Everything that was read besides hooks, of every kind. */
  readonly others: readonly OtherDeclaration[];
}

/**
 * A row: something besides hooks that may be started. The engine reads, lists, trusts and refuses what a row declares, and starts none of it.
 * The program that starts it brings the row.
 */
export interface DeclarationKind<D extends OtherDeclaration = OtherDeclaration> {
  /** The tag of its declarations, and of its entries in the trust file. */
  readonly kind: D["kind"];
  readonly words: DeclarationWords;
  /** A key of settings files, or a folder of a project that holds a YAML file per declaration. */
  readonly from: { readonly settings: string } | { readonly folder: string };
  /** The shape of its key's value, for editors and for the reference. */
  schema?(): z.ZodType;
  /** Said of declarations that stand further out in the work tree. */
  readonly outside: string;
  /** Reads the value of its key, or one file of its folder. What is broken is declared too, with the reason, so that it stays listed. */
  read(node: Located, origin: DeclarationOrigin): Declared<D>;
  /** Judges the declarations of all files together: one per name, and what the options allow. */
  combine?(declared: readonly D[], context: DeclarationContext): Declared<D>;
}

function isOfKind<D extends OtherDeclaration>({ kind }: DeclarationKind<D>, declared: OtherDeclaration): declared is D {
  return declared.kind === kind;
}

/** Those of one kind. */
export function declaredOf<D extends OtherDeclaration>(
  kind: DeclarationKind<D>,
  all: readonly OtherDeclaration[],
): readonly D[] {
  return all.filter((declared) => isOfKind(kind, declared));
}
