import type { HookSystem, LoadedSettings, ServerDeclaration } from "@hookline/engine";
import { colours } from "../../terminal/colour.ts";
import type { Io } from "../../terminal/io.ts";
import { showLine } from "../../terminal/showPlace.ts";
import { aligned, type Cell } from "../../terminal/table.ts";
import { shortened, visible } from "../../terminal/visible.ts";

interface ListedServer {
  readonly server: ServerDeclaration;
  readonly state: "on" | "off" | "untrusted" | "broken";
  readonly reason: string | null;
}

/** Every declared server, and why those that are not started are not. */
export function listServers({ servers }: LoadedSettings, system: HookSystem): readonly ListedServer[] {
  const { untrustedServers } = system.getStatus();
  return servers.map((server): ListedServer => {
    const { name, off, source } = server;
    if (off !== undefined) {
      const isBroken = off.kind === "broken";
      return { server, state: isBroken ? "broken" : "off", reason: isBroken ? off.problem.what : off.what };
    }
    const isUntrusted = source === "project" && untrustedServers.includes(name);
    return isUntrusted
      ? { server, state: "untrusted", reason: "its project is not trusted; run `hookline trust`" }
      : { server, state: "on", reason: null };
  });
}

const HEAD = ["mcp_server", "type", "enabled", "starts", "source"];
const LONGEST = 48;

export function serverTable(listed: readonly ListedServer[], projectRoot: string, io: Io): string[] {
  if (listed.length === 0) return [];
  const { bold, dim, yellow, red } = colours(io);
  const cells: Record<ListedServer["state"], Cell> = {
    on: "true",
    off: { text: "false", style: dim },
    untrusted: { text: "untrusted", style: yellow },
    broken: { text: "broken", style: red },
  };
  const rows = listed.map(({ server, state }): Cell[] => [
    shortened(server.name, LONGEST),
    server.type,
    cells[state],
    shortened(startsText(server), LONGEST),
    { text: showLine(server.place, { projectRoot, homeDir: io.homeDir }), style: dim },
  ]);
  const [head = "", ...body] = aligned([HEAD.map((text) => ({ text, style: bold })), ...rows]);
  const lines = body.flatMap((line, index) => {
    const { state, reason } = listed[index] ?? {};
    // Trust is given to a project as a whole: it is said once, below.
    return reason && state !== "untrusted" ? [line, dim(`  off: ${visible(reason)}`)] : [line];
  });
  return ["", head, ...lines];
}

export function serverJson({ server, state, reason }: ListedServer): unknown {
  const { name, description, type, target, includeTools = null, excludeTools, source, place } = server;
  const { argv: _, headers: _headers, ...fields } = target?.fields ?? {};
  return {
    name,
    ...(description === undefined ? {} : { description }),
    type,
    enabled: state === "on",
    state,
    reason,
    ...fields,
    includeTools,
    excludeTools,
    layer: source,
    source: place,
  };
}

function startsText({ target }: ServerDeclaration): string {
  const { url, command, args } = target?.fields ?? {};
  if (typeof url === "string") return url;
  return [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string").join(" ") || "-";
}
