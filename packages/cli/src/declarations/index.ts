import { ABILITIES } from "./abilities/abilities.ts";
import type { ProgramKind } from "./programKind.ts";
import { MCP_SERVERS } from "./servers/mcpServers.ts";

/** The declaration kinds of this program besides hooks, in the order of lists. */
export const DECLARATION_KINDS: readonly ProgramKind[] = [MCP_SERVERS, ABILITIES];

export function kindNamed(kind: string): ProgramKind | undefined {
  return DECLARATION_KINDS.find((row) => row.kind === kind);
}
