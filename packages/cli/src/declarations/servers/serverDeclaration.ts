import type { OtherDeclaration } from "@hookline/engine/program";

/** One entry of `mcpServers`: a program that is started, or an address that is called, for the tools it offers. */
export interface ServerDeclaration extends OtherDeclaration {
  readonly kind: "server";
  readonly type: "stdio" | "http";
  /** How long it may take to start, and a call to answer; absent: as long as who starts it sees fit. */
  readonly timeoutMs?: number;
  /** Only these of its tools are offered; absent: all. */
  readonly includeTools?: readonly string[];
  readonly excludeTools: readonly string[];
}
