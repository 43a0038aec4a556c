import { HooklineError } from "@hookline/engine";
import { ProcessGroups } from "@hookline/engine/process";
import type { ServerDeclaration } from "../../declarations/servers/serverDeclaration.ts";
import { visible, visibleLines } from "../../terminal/visible.ts";
import type { Tool } from "../tool.ts";
import { withoutCollisions } from "./withoutCollisions.ts";

export interface ConnectOptions {
  readonly projectRoot: string;
  /** The environment of servers, before credentials are removed. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** `hooksConfig.passEnv`: names of credentials that every program may have. */
  readonly passEnv?: readonly string[];
  /** Aborts connecting; connected servers stay until `close`. */
  readonly signal?: AbortSignal;
  /** Receives a notice for the user, safe for a terminal; it may have several lines. */
  readonly onNotice: (text: string) => void;
  /** Called before every start of a server, including restarts. Returns why it must not start. */
  readonly refusal?: (server: ServerDeclaration) => Promise<string | undefined>;
}

export interface ConnectedServers {
  readonly tools: readonly Tool[];
  /** Ends every server. */
  close(): Promise<void>;
}

/** Starts all servers in parallel. Reports and leaves out failed servers and tools with colliding names; the session continues. */
export async function connectServers(
  servers: readonly ServerDeclaration[],
  options: ConnectOptions,
): Promise<ConnectedServers> {
  if (servers.length === 0) return { tools: [], close: async () => {} };
  // Loaded lazily: the SDK is heavy, and most sessions have no server.
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
