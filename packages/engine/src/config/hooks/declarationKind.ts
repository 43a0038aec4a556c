import type { z } from "zod";
import type { ConfigSource, FileFamily } from "../values/configSource.ts";
import type { Located } from "../values/located.ts";
import type { EngineOptions } from "../values/options.ts";
import type { Problem } from "../values/problem.ts";
import type { Declaration, KindSpec, Lookup, OtherDeclaration } from "./hookDeclaration.ts";

/** The nouns for a kind: `an MCP server`, `MCP server`, `MCP servers`. */
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
  /** The kinds of hooks: a declaration that starts or calls something like a hook resolves it by the same rules. */
  readonly kinds: readonly KindSpec[];
  readonly lookup: Lookup;
}

export interface Declared<D extends Declaration> {
  readonly declared: readonly D[];
  readonly problems: readonly Problem[];
}

/** The combined result of all files. */
export interface DeclarationContext {
  readonly options: EngineOptions;
  readonly kinds: readonly KindSpec[];
  /** All declarations other than hooks, of every kind. */
  readonly others: readonly OtherDeclaration[];
}

/**
 * A kind of declaration other than hooks. The engine reads, lists, trusts and refuses these declarations, but never starts them:
 * the program that starts them defines the kind.
 */
export interface DeclarationKind<D extends OtherDeclaration = OtherDeclaration> {
  /** The `kind` of its declarations, and of its entries in the trust file. */
  readonly kind: D["kind"];
  readonly words: DeclarationWords;
  /** A key of settings files, or a project folder with one YAML file per declaration. */
  readonly from: { readonly settings: string } | { readonly folder: string };
  /** The shape of its key's value, for editors and for the reference. */
  schema?(): z.ZodType;
  /** The message for declarations further out in the work tree. */
  readonly outside: string;
  /** Reads the value of its key, or one file of its folder. Broken declarations are returned too, with the reason, so that they stay listed. */
  read(node: Located, origin: DeclarationOrigin): Declared<D>;
  /** Checks the declarations of all files together: one per name, and only what the options allow. */
  combine?(declared: readonly D[], context: DeclarationContext): Declared<D>;
}

function isOfKind<D extends OtherDeclaration>({ kind }: DeclarationKind<D>, declared: OtherDeclaration): declared is D {
  return declared.kind === kind;
}

/** The declarations of one kind. */
export function declaredOf<D extends OtherDeclaration>(
  kind: DeclarationKind<D>,
  all: readonly OtherDeclaration[],
): readonly D[] {
  return all.filter((declared) => isOfKind(kind, declared));
}
