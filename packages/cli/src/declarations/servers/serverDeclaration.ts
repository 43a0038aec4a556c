import type { OtherDeclaration } from "@hookline/engine/program";

/** An entry of `mcpServers`: a program to start or an address to call, which offers tools. */
export interface ServerDeclaration extends OtherDeclaration {
  readonly kind: "server";
  readonly type: "stdio" | "http";
  /** The time limit of its start and of each call; absent: the caller's default. */
  readonly timeoutMs?: number;
  /** The tools to offer; absent: all. */
  readonly includeTools?: readonly string[];
  readonly excludeTools: readonly string[];
}
