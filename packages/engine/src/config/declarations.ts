import { formatPlace } from "../errors.ts";
import type { AbilityDeclaration } from "./abilityDeclaration.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";

/** Everything that passes the trust gate. Only hooks have an event, only abilities have operation keys. */
export type AnyDeclaration = HookDeclaration | ServerDeclaration | AbilityDeclaration;

/** What may start code, by what it is. */
export interface Declarations {
  readonly hooks: readonly HookDeclaration[];
  readonly servers: readonly ServerDeclaration[];
  readonly abilities: readonly AbilityDeclaration[];
}

export type DeclarationKind = keyof Declarations;

/** What a program may start besides hooks. */
export type Startable = Exclude<DeclarationKind, "hooks">;

/** One of each kind, for people: `a hook`, `2 hooks`. */
export const DECLARATION_WORDS: Readonly<
  Record<DeclarationKind, { readonly one: string; readonly word: string; readonly many: string }>
> = {
  hooks: { one: "a hook", word: "hook", many: "hooks" },
  servers: { one: "an MCP server", word: "MCP server", many: "MCP servers" },
  abilities: { one: "an ability", word: "ability", many: "abilities" },
};

export function kindOf(declared: AnyDeclaration): DeclarationKind {
  if ("eventName" in declared) return "hooks";
  return "operationKeys" in declared ? "abilities" : "servers";
}

export function sorted(all: readonly AnyDeclaration[]): Declarations {
  return {
    hooks: all.flatMap((one) => ("eventName" in one ? [one] : [])),
    servers: all.flatMap((one) => ("eventName" in one || "operationKeys" in one ? [] : [one])),
    abilities: all.flatMap((one) => ("operationKeys" in one ? [one] : [])),
  };
}

export function together({ hooks, servers, abilities }: Declarations): readonly AnyDeclaration[] {
  return [...hooks, ...servers, ...abilities];
}

/** `2 hooks and an MCP server that are not trusted:`, and a line for each. */
export function untrustedText(all: readonly AnyDeclaration[]): string {
  const { hooks, servers, abilities } = sorted(all);
  const kinds = [...counted(hooks, "hooks"), ...counted(servers, "servers"), ...counted(abilities, "abilities")];
  const verb = all.length === 1 ? "is" : "are";
  return `${enumerated(kinds)} that ${verb} not trusted:\n${all.map(line).join("\n")}`;
}

/** `a, b and c`. */
export function enumerated(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

function counted({ length }: readonly AnyDeclaration[], kind: DeclarationKind): readonly string[] {
  const { one, many } = DECLARATION_WORDS[kind];
  return length === 0 ? [] : [length === 1 ? one : `${length} ${many}`];
}

function line(declared: AnyDeclaration): string {
  const what = "eventName" in declared ? declared.eventName : DECLARATION_WORDS[kindOf(declared)].word;
  // A name is the repository's text: it must not be able to add lines of its own to what we say.
  return `  ${declared.name.replaceAll(/\s+/g, " ")} (${what}) at ${formatPlace(declared.place)}`;
}
