import { HooklineError } from "@hookline/engine";
import { ProcessGroups } from "@hookline/engine/process";
import type { ServerDeclaration } from "../../declarations/servers/serverDeclaration.ts";
import { visible, visibleLines } from "../../terminal/visible.ts";
import type { Tool } from "../tool.ts";
import { withoutCollisions } from "./toolNames.ts";

export interface ConnectOptions {
  readonly projectRoot: string;
  /** What servers inherit, before credentials are taken out. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `hooksConfig.passEnv`: names of credentials that everybody may have. */
  readonly passEnv?: readonly string[];
  /** Ends the connecting; servers that are connected stay until `close`. */
  readonly signal?: AbortSignal;
  /** What a person should know, harmless on a terminal; it may have several lines. */
  readonly onNotice: (text: string) => void;
  /** Asked before a server is started, also for the second time: why it may not be. */
  readonly refusal?: (server: ServerDeclaration) => Promise<string | undefined>;
}

export interface ConnectedServers {
  readonly tools: readonly Tool[];
  /** Ends every server. */
  close(): Promise<void>;
}

/** Starts all servers at once. A server that fails, and tools whose names collide, are said and left out; the session goes on. */
export async function connectServers(
  servers: readonly ServerDeclaration[],
  options: ConnectOptions,
): Promise<ConnectedServers> {
  if (servers.length === 0) return { tools: [], close: async () => {} };
  // The SDK is heavy, and most sessions have no server.
  const { ServerConnection } = await import("./serverConnection.ts");
  const { offeredTools } = await import("./offeredTools.ts");
  const groups = new ProcessGroups();
  const connections = servers.map((server) => new ServerConnection(server, { ...options, groups }));
  const close = async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    groups.dispose();
  };
  try {
    const found = await Promise.all(
      connections.map(async (connection) => {
        try {
          return offeredTools(connection, await connection.open(options.signal), options.onNotice);
        } catch (error) {
          if (!options.signal?.aborted) options.onNotice(failureNotice(connection.server, error));
          return [];
        }
      }),
    );
    return { tools: withoutCollisions(found.flat(), options.onNotice).map(({ tool }) => tool), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function failureNotice({ name }: ServerDeclaration, error: unknown): string {
  const known = error instanceof HooklineError ? error : undefined;
  const [first = "", ...said] = visibleLines(known?.what ?? String(error));
  const lines = [`MCP server "${visible(name)}" is left out: ${first}`, ...said.map((line) => `  ${line}`)];
  return [...lines, ...(known ? [known.next] : [])].join("\n");
}
