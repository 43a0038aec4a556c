import type { KindSpec, Lookup, Target } from "@hookline/engine/program";
import { httpTarget, ServerFault } from "../servers/serverTarget.ts";
import type { AbilityKind } from "./abilityDeclaration.ts";
import { HTTP, MCP, SCRIPT } from "./abilityFields.ts";

interface TargetContext {
  readonly kinds: readonly KindSpec[];
  readonly lookup: Lookup;
}

/** Finds the target of an ability like that of a hook. Throws if it cannot be read or found. */
export function abilityTarget(kind: AbilityKind, given: unknown, { kinds, lookup }: TargetContext): Target {
  switch (kind) {
    case "script": {
      const command = kinds.find(({ type }) => type === "command");
      if (!command)
        throw new ServerFault("kind", "No program can be started here.", 'Write "kind: http" or "kind: mcp".');
      return command.resolve(SCRIPT.parse(given), lookup);
    }
    case "mcp": {
      const { server, tool } = MCP.parse(given);
      return { fields: { server, tool }, identity: JSON.stringify([server, tool]), files: [], uncovered: [] };
    }
    case "http": {
      const { method = "POST", ...call } = HTTP.parse(given);
      const target = httpTarget(call, lookup, kinds);
      return { ...target, fields: { method, ...target.fields }, identity: JSON.stringify([method, target.identity]) };
    }
  }
}
