import { formatPlace } from "../errors.ts";
import type { HookDeclaration } from "./hookDeclaration.ts";
import type { AnyDeclaration, ServerDeclaration } from "./serverDeclaration.ts";

/** What may start code, by what it is. */
export interface Declarations {
  readonly hooks: readonly HookDeclaration[];
  readonly servers: readonly ServerDeclaration[];
}

export function sorted(all: readonly AnyDeclaration[]): Declarations {
  return {
    hooks: all.flatMap((one) => ("eventName" in one ? [one] : [])),
    servers: all.flatMap((one) => ("eventName" in one ? [] : [one])),
  };
}

/** `2 hooks and an MCP server that are not trusted:`, and a line for each. */
export function untrustedText(all: readonly AnyDeclaration[]): string {
  const { hooks, servers } = sorted(all);
  const kinds = [...counted(hooks, "a hook", "hooks"), ...counted(servers, "an MCP server", "MCP servers")];
  const verb = all.length === 1 ? "is" : "are";
  return `${kinds.join(" and ")} that ${verb} not trusted:\n${all.map(line).join("\n")}`;
}

function counted({ length }: readonly AnyDeclaration[], one: string, many: string): readonly string[] {
  return length === 0 ? [] : [length === 1 ? one : `${length} ${many}`];
}

function line(declared: AnyDeclaration): string {
  const what = "eventName" in declared ? declared.eventName : "MCP server";
  // A name is the repository's text: it must not be able to add lines of its own to what we say.
  return `  ${declared.name.replaceAll(/\s+/g, " ")} (${what}) at ${formatPlace(declared.place)}`;
}
