import { setTimeout } from "node:timers/promises";
import { type ProcessGroups, scrubEnvironment } from "@hookline/engine/process";
import { fillVariables } from "@hookline/engine/program";
import { z } from "zod";
import type { ServerDeclaration } from "../../declarations/servers/serverDeclaration.ts";
import type { ConnectOptions } from "./connectServers.ts";
import { HttpTransport } from "./httpTransport.ts";
import { StdioTransport } from "./stdioTransport.ts";

/** The parsed settings; a server that is not broken has all of these fields. */
const stdioFields = z.object({
  argv: z.tuple([z.string()], z.string()),
  command: z.string(),
  args: z.array(z.string()),
  cwd: z.string().optional(),
});
const httpFields = z.object({ url: z.string(), headers: z.record(z.string(), z.string()).optional() });

const KILL_GRACE_MS = 2_000;
const GOODBYE_MS = 1_000;

export interface Surroundings extends Pick<ConnectOptions, "projectRoot" | "env" | "passEnv" | "onNotice" | "refusal"> {
  readonly groups: ProcessGroups;
}

export type ServerTransport = StdioTransport | HttpTransport;

/** Creates a transport without starting it. Throws if the server cannot start at all. */
export function openTransport(server: ServerDeclaration, around: Surroundings): ServerTransport {
  const { projectRoot, env, groups } = around;
  const allowed = [...(around.passEnv ?? []), ...server.passEnv];
  const variable = (name: string) => (allowed.includes(name) ? env[name] : undefined);
  if (server.type === "http") {
    const { url, headers = {} } = httpFields.parse(server.target?.fields);
    return new HttpTransport(new URL(url), fillVariables(headers, variable));
  }
  const { argv, cwd = projectRoot } = stdioFields.parse(server.target?.fields);
  const place = { HOOKLINE_PROJECT_DIR: projectRoot, GEMINI_PROJECT_DIR: projectRoot };
  const own = fillVariables(server.env, variable);
  const variables = { ...scrubEnvironment({ ...env }, allowed).env, ...place, ...own };
  return new StdioTransport({ argv, cwd, env: variables, killGraceMs: KILL_GRACE_MS }, groups);
}

/** Tells hooks where a tool comes from. */
export function contextOf({ type, target }: ServerDeclaration, projectRoot: string) {
  if (type === "http") return { url: httpFields.parse(target?.fields).url };
  const { command, args, cwd = projectRoot } = stdioFields.parse(target?.fields);
  return { command, args, cwd };
}

export async function closeTransport(transport: ServerTransport): Promise<void> {
  if (!(transport instanceof StdioTransport)) await endSession(transport);
  await transport.close();
}

/** Asks the server to end the session; a failure does not matter. */
async function endSession(transport: HttpTransport): Promise<void> {
  const goodbye = transport.terminateSession().catch(() => {});
  await Promise.race([goodbye, setTimeout(GOODBYE_MS, undefined, { ref: false })]);
}
