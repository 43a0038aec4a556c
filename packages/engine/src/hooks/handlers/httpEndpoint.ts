import { urlToHttpOptions } from "node:url";
import type { Declaration } from "../../config/hooks/hookDeclaration.ts";
import type { EngineOptions } from "../../config/values/options.ts";
import { PATIENCE_MS } from "../../process/shortage.ts";
import type { Ending } from "../answer/ending.ts";
import { type Endpoint, HttpCall } from "./httpCall.ts";
import { type Connections, keptConnections, onlyLoopback } from "./httpConnections.ts";
import { filledHeaders } from "./httpHeaders.ts";
import { schema, unmet } from "./httpTarget.ts";

type Declared = Pick<Declaration, "target" | "passEnv">;

interface EndpointContext {
  readonly options: EngineOptions;
  /** A variable of this process, credentials included. */
  readonly variable: (name: string) => string | undefined;
  readonly connections: Connections;
}

/** Rejects with the reason if it must not be called at all. */
export async function endpointOf(
  declared: Declared,
  { options, variable, connections }: EndpointContext,
  method = "POST",
): Promise<Endpoint> {
  const [refused] = unmet(declared, options);
  if (refused) throw new Error(`${refused.what} ${refused.next}`);
  const { url: text, headers = {} } = schema().parse(declared.target?.fields);
  const url = new URL(text);
  const { hostname, port, path } = urlToHttpOptions(url);
  const own = filledHeaders(headers, variable);
  const { request, agent } = await connections.open(url.protocol);
  return {
    request,
    hostname: url.hostname,
    port: url.port || (url.protocol === "https:" ? "443" : "80"),
    options: {
      method,
      hostname,
      port,
      path,
      agent,
      headers: {
        accept: "application/json",
        "accept-encoding": "identity",
        ...own,
        "content-type": "application/json",
      },
      ...(hostname === "localhost" ? { lookup: onlyLoopback } : {}),
    },
  };
}

interface SingleCall extends Omit<EndpointContext, "connections"> {
  readonly method: string;
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** One call under the rules of http hooks, for other callers: no redirects, limited time and answer length. */
export async function callEndpoint(declared: Declared, call: SingleCall): Promise<Ending> {
  const { options, method, body, timeoutMs, signal } = call;
  const connections = keptConnections();
  try {
    const startedAt = performance.now();
    const endpoint = await endpointOf(declared, { ...call, connections }, method);
    const { outputLimitBytes } = options;
    const limits = { timeoutMs, startedAt, outputLimitBytes, signal, patienceMs: PATIENCE_MS, onWaited: () => {} };
    return await new Promise((resolve) => new HttpCall(endpoint, body, limits, resolve).start());
  } catch (error) {
    return { kind: "notStarted", cause: error instanceof Error ? error : new Error(String(error)) };
  } finally {
    connections.close();
  }
}
