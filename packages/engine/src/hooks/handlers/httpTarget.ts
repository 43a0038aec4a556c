import { z } from "zod";
import type { Declaration, OwnFields } from "../../config/hooks/hookDeclaration.ts";
import type { EngineOptions } from "../../config/values/options.ts";
import type { Problem } from "../../config/values/problem.ts";
import { variablesIn } from "../../config/values/variables.ts";
import { HooklineError } from "../../errors.ts";
import { once } from "./once.ts";

export const schema = once(() =>
  z.object({
    url: z
      .string({ error: "it must be text" })
      .describe("where the input is posted to: https, or http on this machine; nothing in it is replaced"),
    headers: z
      .record(z.string(), z.string(), { error: "every header is a name with a text" })
      .optional()
      .describe(`further headers; \${NAME} stands for a variable that passEnv names`),
  }),
);

/** Headers are left to the schema. */
export const fields: OwnFields = {
  names: ["url", "headers"],
  areFine: ({ url, headers }) => typeof url === "string" && headers === undefined,
  schema,
};

type Finding = Pick<Problem, "what" | "next">;

/** The address as it will be called; throws what is wrong with it, whatever the options say. */
export function checkedUrl(text: string): URL {
  if (text.includes("${")) {
    throw invalid(`"url" has a variable in it, and nothing in a url is replaced.`, "Put the variable into a header.");
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalid(`${JSON.stringify(text)} is no url.`, 'Write "https://host/path".');
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw invalid(`No hook can be posted to "${url.protocol}".`, 'Write a url that begins with "https:" or "http:".');
  }
  if (url.username !== "" || url.password !== "") {
    const next = `Write "headers": { "authorization": "Bearer \${NAME}" } and "passEnv": ["NAME"].`;
    throw invalid(`The url has a user name or a password before its host.`, next);
  }
  return url;
}

/** What this hook may not do under these options: it is said at load, and makes every run fail. */
export function unmet(
  { target, passEnv }: Pick<Declaration, "target" | "passEnv">,
  options: EngineOptions,
): readonly Finding[] {
  const parsed = schema().safeParse(target?.fields);
  if (!parsed.success) return [];
  const { url, headers = {} } = parsed.data;
  const allowed = [...options.passEnv, ...passEnv];
  return [
    ...hostFinding(new URL(url), options.httpAllowHosts),
    ...variablesIn(headers)
      .filter((name) => !allowed.includes(name))
      .map((name) => ({
        what: `Its headers use \${${name}}, which passEnv does not name.`,
        next: `Write "passEnv": ["${name}"] beside "headers".`,
      })),
  ];
}

function hostFinding(url: URL, allowHosts: readonly string[]): readonly Finding[] {
  const { protocol, hostname, host, origin } = url;
  if (protocol === "https:" || isLoopback(hostname)) return [];
  if (allowHosts.some((entry) => isNamed(url, entry))) return [];
  return [
    {
      what: `${origin} is neither https nor on this machine, so it is not called.`,
      next: `Use https, or write "hooksConfig": { "http": { "allowHosts": ["${host}"] } } into ~/.hookline/settings.json.`,
    },
  ];
}

/** The parser of urls has brought every spelling of an address into one form. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** An entry is a host, with or without a port; it names that host and no other. */
function isNamed({ hostname, port }: URL, entry: string): boolean {
  if (!URL.canParse(`http://${entry}/`)) return false;
  const named = new URL(`http://${entry}/`);
  if (named.href !== `http://${named.host}/`) return false;
  return named.hostname === hostname && (!/:\d+$/.test(entry) || named.port === port);
}

function invalid(what: string, next: string): HooklineError {
  return new HooklineError({ code: "CONFIG_INVALID", what, next });
}
