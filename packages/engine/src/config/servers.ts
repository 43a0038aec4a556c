import { formatPlace } from "../errors.ts";
import { declareServer, type ServerOrigin } from "./declareServer.ts";
import { type EngineOptions, type Finding, type KindSpec, type Problem, TRUST_LEVEL } from "./hookDeclaration.ts";
import type { Entry } from "./located.ts";
import { doubt, fault } from "./problem.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { variablesIn } from "./variables.ts";

interface Servers {
  readonly servers: readonly ServerDeclaration[];
  readonly problems: readonly Problem[];
}

/** The servers of one settings file. */
export function declareServers(entries: readonly Entry[], origin: ServerOrigin): Servers {
  const [first] = entries;
  if (first !== undefined && origin.source === "extensions") {
    const what = '"mcpServers" is not read from an extension.';
    const next = "Write the servers into ~/.hookline/settings.json.";
    return { servers: [], problems: [doubt({ where: first.keyPlace, what, next })] };
  }
  const declared = entries.map((entry) => declareServer(entry, origin));
  return {
    servers: declared.map(({ server }) => server),
    problems: declared.flatMap(({ problems }) => problems),
  };
}

/**
 * One server per name: the most trusted declaration counts, of equally trusted ones the first, and also one that is broken:
 * a cloned repository must not be able to stand in for a user's server.
 */
export function oneServerPerName(servers: readonly ServerDeclaration[]): Servers {
  const winners = new Map<string, ServerDeclaration>();
  for (const server of servers.toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source])) {
    if (!winners.has(server.name)) winners.set(server.name, server);
  }
  const winnerOver = (server: ServerDeclaration) => {
    const winner = winners.get(server.name);
    return winner === server ? undefined : winner;
  };
  return {
    servers: servers.map((server) => {
      const by = winnerOver(server);
      return by ? { ...server, off: { kind: "switch", by: by.place, what: counts(by) } } : server;
    }),
    problems: servers.flatMap((server) => {
      const by = winnerOver(server);
      const next = "Give this server another name, or remove it.";
      return by ? [doubt({ where: server.place, what: `This server is not started: ${counts(by)}.`, next })] : [];
    }),
  };
}

function counts({ name, place, source }: ServerDeclaration): string {
  return `"${name}" is also declared at ${formatPlace(place)} (${source}), and that one counts`;
}

/** A server that may not do what it is there for stays off: unlike a hook, it guards nothing by failing. */
export function asOptionsAllow(
  servers: readonly ServerDeclaration[],
  options: EngineOptions,
  kinds: readonly KindSpec[],
): Servers {
  const kind = kinds.find(({ type }) => type === "http");
  const judged = servers.map((server) => {
    const active = server.off === undefined;
    const address = server.type === "http" ? (kind?.unmet?.(server, options) ?? []) : [];
    const [finding] = active ? [...address, ...unnamedVariables(server, options)] : [];
    return finding
      ? { server, problem: fault({ code: "MCP_SERVER_INVALID", where: server.place, ...finding }) }
      : { server };
  });
  return {
    servers: judged.map(({ server, problem }) => (problem ? { ...server, off: { kind: "broken", problem } } : server)),
    problems: judged.flatMap(({ problem }) => problem ?? []),
  };
}

function unnamedVariables({ env, passEnv }: ServerDeclaration, options: EngineOptions): readonly Finding[] {
  return variablesIn(env)
    .filter((name) => !passEnv.includes(name) && !options.passEnv.includes(name))
    .map((name) => ({
      what: `Its env uses \${${name}}, which passEnv does not name.`,
      next: `Write "passEnv": ["${name}"] beside "env".`,
    }));
}
