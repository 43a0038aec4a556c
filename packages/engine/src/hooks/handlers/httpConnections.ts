import type { Agent, ClientRequest, RequestOptions } from "node:http";
import type { LookupFunction } from "node:net";

interface Transport {
  readonly request: (options: RequestOptions) => ClientRequest;
  readonly agent: Agent;
}

/** The connections of one hook system, kept open between events; idle ones do not keep the program alive. */
export interface Connections {
  open(protocol: string): Promise<Transport>;
  close(): void;
}

export function keptConnections(): Connections {
  const opened = new Map<string, Promise<Transport>>();
  const agents: Agent[] = [];
  return {
    open(protocol) {
      const known = opened.get(protocol) ?? transportFor(protocol);
      if (!opened.has(protocol)) {
        opened.set(protocol, known);
        known.then(({ agent }) => agents.push(agent));
      }
      return known;
    },
    close() {
      for (const agent of agents) agent.destroy();
    },
  };
}

/** Loaded on first use: most systems have no http hook, and loading TLS takes time. */
async function transportFor(protocol: string): Promise<Transport> {
  if (protocol !== "https:") {
    const { Agent, request } = await import("node:http");
    return { request, agent: new Agent({ keepAlive: true }) };
  }
  const { Agent, request } = await import("node:https");
  // Explicit, so that no variable set later in this process can turn it off.
  const checked = { rejectUnauthorized: true };
  return {
    request: (options) => request({ ...options, ...checked }),
    agent: new Agent({ keepAlive: true, ...checked }),
  };
}

/** A hosts file or name server must not redirect "localhost" to another machine. */
export const onlyLoopback: LookupFunction = (_hostname, { all }, callback) => {
  if (all) callback(null, [V4, V6]);
  else callback(null, V4.address, V4.family);
};

const V4 = { address: "127.0.0.1", family: 4 };
const V6 = { address: "::1", family: 6 };
