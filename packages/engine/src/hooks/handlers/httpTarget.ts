import { z } from "zod";
import type { Declaration, OwnFields } from "../../config/hooks/hookDeclaration.ts";
import type { EngineOptions } from "../../config/values/options.ts";
import type { ProblemText } from "../../config/values/problem.ts";
import { variablesIn } from "../../config/values/variables.ts";
import { HooklineError } from "../../errors.ts";
import { once } from "./once.ts";

export const schema = once(() =>
  z.object({
    url: z
      .string({ error: "it must be text" })
      .describe("where to post the input: https, or http on this machine; variables in it are not replaced"),
    headers: z
      .record(z.string(), z.string(), { error: "every header must be a name with a string" })
      .optional()
      .describe(`further headers; \${NAME} stands for a variable that passEnv names`),
  }),
);

/** The schema checks headers. */
export const fields: OwnFields = {
  names: ["url", "headers"],
  areFine: ({ url, headers }) => typeof url === "string" && headers === undefined,
  schema,
};

/** Parses the address; throws if it is unusable, whatever the options. */
export function checkedUrl(text: string): URL {
  if (text.includes("${")) {
    throw invalid(`"url" contains a variable, which is not replaced in a url.`, "Put the variable into a header.");
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw invalid(`${JSON.stringify(text)} is not a url.`, 'Write "https://host/path".');
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw invalid(
      `The protocol "${url.protocol}" is not supported.`,
      'Write a url that begins with "https:" or "http:".',
    );
  }
  if (url.username !== "" || url.password !== "") {
    const next = `Write "headers": { "authorization": "Bearer \${NAME}" } and "passEnv": ["NAME"].`;
    throw invalid(`The url has a user name or a password before its host.`, next);
  }
  return url;
}

/** What these options forbid this hook: reported at load, and every run fails. */
export function unmet(
  { target, passEnv }: Pick<Declaration, "target" | "passEnv">,
  options: EngineOptions,
): readonly ProblemText[] {
  const parsed = schema().safeParse(target?.fields);
  if (!parsed.success) return [];
  const { url, headers = {} } = parsed.data;
  const allowed = [...options.passEnv, ...passEnv];
  return [
    ...hostProblem(new URL(url), options.httpAllowHosts),
    ...variablesIn(headers)
      .filter((name) => !allowed.includes(name))
      .map((name) => ({
        what: `Its headers use \${${name}}, which passEnv does not name.`,
        next: `Write "passEnv": ["${name}"] beside "headers".`,
      })),
  ];
}

function hostProblem(url: URL, allowHosts: readonly string[]): readonly ProblemText[] {
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

/** The URL parser normalises every spelling of an address. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** An entry is a host, with or without a port, and matches only that host. */
function isNamed({ hostname, port }: URL, entry: string): boolean {
  if (!URL.canParse(`http://${entry}/`)) return false;
  const named = new URL(`http://${entry}/`);
  if (named.href !== `http://${named.host}/`) return false;
  return named.hostname === hostname && (!/:\d+$/.test(entry) || named.port === port);
}

function invalid(what: string, next: string): HooklineError {
  return new HooklineError({ code: "CONFIG_INVALID", what, next });
}
