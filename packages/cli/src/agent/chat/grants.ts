import type { ToolConfirmation } from "@hookline/engine";

/** An approval for all calls of a kind. */
export interface Grant {
  /** Completes "do not ask again …". */
  readonly label: string;
  readonly key: string;
}

/** Approvals for the whole session. They cover confirmations of tools, never asks of hooks. */
export class Grants {
  readonly #keys = new Set<string>();

  add({ key }: Grant): void {
    this.#keys.add(key);
  }

  covers(confirmation: ToolConfirmation): boolean {
    const grant = grantFor(confirmation);
    return grant !== undefined && this.#keys.has(grant.key);
  }

  clear(): void {
    this.#keys.clear();
  }
}

/** Undefined if each call needs a review. */
export function grantFor(confirmation: ToolConfirmation): Grant | undefined {
  const { type, isRequired, isGrantable, command, dir, server_name, tool_name } = confirmation;
  if (isRequired || isGrantable === false) return undefined;
  switch (type) {
    case "edit":
      return { label: "before edits of files", key: "edit" };
    case "exec":
      if (typeof command !== "string") return undefined;
      return { label: "before this command", key: JSON.stringify([type, dir, command]) };
    case "mcp":
      if (typeof server_name !== "string" || typeof tool_name !== "string") return undefined;
      return { label: "before this tool of this server", key: JSON.stringify([type, server_name, tool_name]) };
    case "info":
      return undefined;
  }
}
