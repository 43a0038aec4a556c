import { HooklineError } from "@hookline/engine";
import {
  type DeclarationOrigin,
  didYouMean,
  type Entry,
  entryNamed,
  type LocatedMap,
  type Problem,
  plain,
  type Report,
  readEnv,
  readLimit,
  readNames,
  readText,
  reportRepeats,
  shown,
  type Target,
  withVariables,
} from "@hookline/engine/program";
import { programFault } from "../../errors.ts";
import type { ServerDeclaration } from "./serverDeclaration.ts";
import { holdsBack, serverDoubts } from "./serverDoubts.ts";
import { HTTP_FIELDS, SERVER_KEYS, SERVER_NAME, STDIO_FIELDS } from "./serverFields.ts";
import { httpTarget, ServerFault, stdioTarget } from "./serverTarget.ts";

/** Reads an entry of `mcpServers`. A server that cannot start is declared too, with the reason, so that it stays listed. */
export function declareServer(entry: Entry, origin: DeclarationOrigin, tell: Report): ServerDeclaration {
  const report: Report = (problem) => tell(ofServer(problem));
  const fields = fieldsOf(entry);
  reportRepeats(fields, report);
  const field = (key: string) => entryNamed(fields, key);

  const type = field("command") ? "stdio" : field("url") || field("httpUrl") ? "http" : "stdio";
  const env = readEnv(field("env"), report);
  const lookup = { ...origin.lookup, path: env.PATH ?? origin.lookup.path };
  const description = readText(field("description"), report);
  const timeoutMs = readLimit(field("timeout"), "Until then the default applies.", report, origin.family);
  const start = startOf(entry, { fields, type, kinds: origin.kinds, lookup, env });
  for (const doubtful of serverDoubts(fields, type)) report(doubtful);
  if ("problem" in start) report(start.problem);

  const offered: Offered = "target" in start ? start.offered : { excludeTools: [] };
  const limit = timeoutMs === undefined ? {} : { timeoutMs };
  return {
    kind: "server",
    name: entry.key,
    ...(description === undefined ? {} : { description }),
    source: origin.source,
    family: origin.family,
    place: entry.keyPlace,
    type,
    env,
    passEnv: readNames(field("passEnv"), report),
    ...limit,
    ...offered,
    ...("target" in start ? { target: start.target } : { off: { kind: "broken", problem: ofServer(start.problem) } }),
    definition: ["mcpServers", { name: entry.key, type, ...limit, ...offered }],
  };
}

/** Reports every error of a server with the same code. */
function ofServer(problem: Problem): Problem {
  return problem.severity === "error" ? { ...problem, code: "MCP_SERVER_INVALID" } : problem;
}

function fieldsOf({ value }: Entry): LocatedMap {
  return value.kind === "map" ? value : { kind: "map", entries: [], place: value.place };
}

type Offered = Pick<ServerDeclaration, "includeTools" | "excludeTools">;
type Start = { readonly target: Target; readonly offered: Offered } | { readonly problem: Problem };

interface Starting extends Pick<DeclarationOrigin, "kinds" | "lookup"> {
  readonly fields: LocatedMap;
  readonly type: ServerDeclaration["type"];
  readonly env: Readonly<Record<string, string>>;
}

function startOf(entry: Entry, { fields, type, kinds, lookup, env }: Starting): Start {
  const unusable = shapeFault(entry, fields);
  if (unusable) return { problem: unusable };
  const older = entryNamed(fields, "httpUrl");
  const given = fields.entries.map(({ key, value }): [string, unknown] => [
    key === "httpUrl" ? "url" : key,
    plain(value),
  ]);
  const parsed = (type === "stdio" ? STDIO_FIELDS : HTTP_FIELDS).safeParse(Object.fromEntries(given));
  const faultAt = (key: string, what: string, next?: string) => {
    const found = key === "url" ? (older ?? entryNamed(fields, key)) : entryNamed(fields, key);
    return {
      problem: programFault({ code: "MCP_SERVER_INVALID", where: found?.value.place ?? entry.keyPlace, what, next }),
    };
  };
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const key = String(issue?.path[0] ?? "");
    const written = entryNamed(fields, key === "url" && older ? "httpUrl" : key);
    return faultAt(
      key,
      `"${written?.key ?? key}" cannot be ${written ? shown(written.value) : "left out"}: ${issue?.message}.`,
    );
  }
  const { data } = parsed;
  try {
    const target =
      "command" in data ? withVariables(stdioTarget(data, lookup), env, lookup) : httpTarget(data, lookup, kinds);
    const { includeTools, excludeTools = [] } = data;
    return { target, offered: { ...(includeTools === undefined ? {} : { includeTools }), excludeTools } };
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error;
    const field = error instanceof ServerFault ? error.field : type === "stdio" ? "command" : "url";
    return faultAt(field, error.what, error.next);
  }
}

/** Why an entry is not a server at all. */
function shapeFault({ key: name, keyPlace, value }: Entry, fields: LocatedMap): Problem | undefined {
  const invalid = (what: string, next: string, where = keyPlace) =>
    programFault({ code: "MCP_SERVER_INVALID", where, what, next });
  if (!SERVER_NAME.test(name)) {
    return invalid(`${JSON.stringify(name)} cannot be the name of a server.`, "Use letters, digits, - and _ only.");
  }
  if (value.kind !== "map") {
    return invalid(
      `A server is an object, not ${shown(value)}.`,
      'Write { "command": "…" } or { "url": "…" }.',
      value.place,
    );
  }
  const ways = ["command", "url", "httpUrl"].filter((key) => entryNamed(fields, key));
  const [first, second] = ways;
  if (first === undefined) return invalid('This server has neither "command" nor "url".', 'Write "command" or "url".');
  if (second !== undefined) {
    return invalid(`This server has both "${first}" and "${second}".`, `Keep one of the two.`);
  }
  const held = fields.entries.find(({ key }) => holdsBack(key));
  if (!held) return undefined;
  const guess = didYouMean(held.key, SERVER_KEYS);
  const what = `"${held.key}" is not a field of a server; until it is corrected this server does not start.${guess}`;
  return invalid(
    what,
    guess ? "Correct its name." : "Remove it; to turn a server off, remove its entry.",
    held.keyPlace,
  );
}
