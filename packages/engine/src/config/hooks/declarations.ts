import { formatPlace } from "../../errors.ts";
import { type DeclarationKind, type DeclarationWords, HOOK_WORDS } from "./declarationKind.ts";
import type { AnyDeclaration, HookDeclaration, OtherDeclaration } from "./hookDeclaration.ts";

/** Everything that may start code. */
export interface Declarations {
  readonly hooks: readonly HookDeclaration[];
  readonly others: readonly OtherDeclaration[];
}

export function isHook(declared: AnyDeclaration): declared is HookDeclaration {
  return declared.kind === "hook";
}

export function isOther(declared: AnyDeclaration): declared is OtherDeclaration {
  return !isHook(declared);
}

export function groupByKind(all: readonly AnyDeclaration[]): Declarations {
  return { hooks: all.filter(isHook), others: all.filter(isOther) };
}

export function flatten({ hooks, others }: Declarations): readonly AnyDeclaration[] {
  return [...hooks, ...others];
}

/** The nouns for a kind; the trust file may contain a kind that only another program knows. */
export function wordsOf(kind: string, rows: readonly DeclarationKind[]): DeclarationWords {
  if (kind === "hook") return HOOK_WORDS;
  return rows.find((row) => row.kind === kind)?.words ?? { one: `a ${kind}`, word: kind, many: `${kind}s` };
}

/** `2 hooks and an MCP server that are not trusted:`, and a line for each. */
export function untrustedText(all: readonly AnyDeclaration[], rows: readonly DeclarationKind[]): string {
  const kinds = ["hook", ...rows.map(({ kind }) => kind)].flatMap((kind) => {
    const { length } = all.filter((declared) => declared.kind === kind);
    const { one, many } = wordsOf(kind, rows);
    return length === 0 ? [] : [length === 1 ? one : `${length} ${many}`];
  });
  const verb = all.length === 1 ? "is" : "are";
  return `${enumerated(kinds)} that ${verb} not trusted:\n${all.map((declared) => line(declared, rows)).join("\n")}`;
}

/** `a, b and c`. */
export function enumerated(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

function line(declared: AnyDeclaration, rows: readonly DeclarationKind[]): string {
  const what = isHook(declared) ? declared.eventName : wordsOf(declared.kind, rows).word;
  return `  ${oneLineName(declared)} (${what}) at ${formatPlace(declared.place)}`;
}

/** The repository chooses the name: it must not be able to add lines to our message. */
export function oneLineName({ name }: AnyDeclaration): string {
  return name.replaceAll(/\s+/g, " ");
}
