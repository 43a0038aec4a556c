import {
  type DeclarationContext,
  type Declared,
  doubt,
  type EngineOptions,
  formatPlace,
  type ProblemText,
  TRUST_LEVEL,
  variablesIn,
} from "@hookline/engine/program";
import { programFault } from "../../errors.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";

type Servers = Declared<ServerDeclaration>;

/** Combines the servers of all layers: one per name, only those that the options allow. */
export function combineServers(declared: readonly ServerDeclaration[], context: DeclarationContext): Servers {
  const distinct = oneServerPerName(declared);
  const allowed = disableForbidden(distinct.declared, context);
  return { declared: allowed.declared, problems: [...distinct.problems, ...allowed.problems] };
}

/**
 * Keeps one server per name: the most trusted declaration, or the first of equally trusted ones, even if it is broken. A cloned
 * repository must not be able to replace a user's server.
 */
function oneServerPerName(servers: readonly ServerDeclaration[]): Servers {
  const winners = new Map<string, ServerDeclaration>();
  for (const server of servers.toSorted((a, b) => TRUST_LEVEL[b.source] - TRUST_LEVEL[a.source])) {
    if (!winners.has(server.name)) winners.set(server.name, server);
  }
  const winnerOver = (server: ServerDeclaration) => {
    const winner = winners.get(server.name);
    return winner === server ? undefined : winner;
  };
  return {
    declared: servers.map((server) => {
      const by = winnerOver(server);
      return by ? { ...server, off: { kind: "switch", by: by.place, what: counts(by) } } : server;
    }),
    problems: servers.flatMap((server) => {
      const by = winnerOver(server);
      const next = "Give this server another name, or remove it.";
      return by ? [doubt({ where: server.place, what: `This server does not start: ${counts(by)}.`, next })] : [];
    }),
  };
}

function counts({ name, place, source }: ServerDeclaration): string {
  return `"${name}" is also declared at ${formatPlace(place)} (${source}), which takes precedence`;
}

/** Turns off a server whose target is not allowed: unlike a hook, a failing server guards nothing. */
function disableForbidden(servers: readonly ServerDeclaration[], { options, kinds }: DeclarationContext): Servers {
  const http = kinds.find(({ type }) => type === "http");
  const judged = servers.map((server) => {
    const active = server.off === undefined;
    const address = server.type === "http" ? (http?.unmet?.(server, options) ?? []) : [];
    const [finding] = active ? [...address, ...unnamedVariables(server, options)] : [];
    return finding
      ? { server, problem: programFault({ code: "MCP_SERVER_INVALID", where: server.place, ...finding }) }
      : { server };
  });
  return {
    declared: judged.map(({ server, problem }) => (problem ? { ...server, off: { kind: "broken", problem } } : server)),
    problems: judged.flatMap(({ problem }) => problem ?? []),
  };
}

function unnamedVariables({ env, passEnv }: ServerDeclaration, options: EngineOptions): readonly ProblemText[] {
  return variablesIn(env)
    .filter((name) => !passEnv.includes(name) && !options.passEnv.includes(name))
    .map((name) => ({
      what: `Its env uses \${${name}}, which passEnv does not name.`,
      next: `Write "passEnv": ["${name}"] beside "env".`,
    }));
}
