import { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The address and the key of a model. */
export interface Endpoint {
  /** Without a trailing slash; undefined if the SDK supplies it. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** The longest pause allowed within an answer. */
  readonly idleMs?: number;
}

const LONGEST_IDLE_MS = 3_600_000;
const PUBLIC_OPENAI = "https://api.openai.com/v1";

export function geminiEndpoint(env: Environment): Endpoint {
  const baseUrl = addressIn(env, "GOOGLE_GEMINI_BASE_URL");
  const key = keyIn(env, "GEMINI_API_KEY");
  if (key === undefined) throw keyMissing("GEMINI_API_KEY", "The Gemini API");
  return { key, ...idleIn(env), ...(baseUrl !== undefined && { baseUrl }) };
}

/** A private server often needs no key; the public API always does. */
export function openAiEndpoint(env: Environment, given?: string): Endpoint {
  const own = given === undefined ? addressIn(env, "OPENAI_BASE_URL") : checkedAddress(given, "--model");
  const key = keyIn(env, "OPENAI_API_KEY");
  const baseUrl = own ?? PUBLIC_OPENAI;
  if (key === undefined && baseUrl === PUBLIC_OPENAI) throw keyMissing("OPENAI_API_KEY", "The OpenAI API");
  return { baseUrl, ...idleIn(env), ...(key !== undefined && { key }) };
}

function idleIn(env: Environment): { readonly idleMs?: number } {
  const text = env.HOOKLINE_MODEL_IDLE_MS?.trim();
  if (!text) return {};
  const idleMs = Number(text);
  if (Number.isInteger(idleMs) && idleMs >= 1 && idleMs <= LONGEST_IDLE_MS) return { idleMs };
  const what = `HOOKLINE_MODEL_IDLE_MS must be a number of milliseconds from 1 to ${LONGEST_IDLE_MS}.`;
  throw new HooklineError({ code: "OPTION_INVALID", what, next: "Write 300000 for five minutes." });
}

function addressIn(env: Environment, variable: string): string | undefined {
  const text = env[variable]?.trim();
  return text ? checkedAddress(text, variable) : undefined;
}

function checkedAddress(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    // Do not print the address: it may contain a key.
    const what = `${source} has an address that is neither http nor https.`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Write it like `http://localhost:11434/v1`." });
  }
  if (url.username || url.password || url.search || url.hash) {
    const what = `The address in ${source} has more than a host and a path.`;
    const next = "Remove user name, password, query and fragment; pass a key in its own variable.";
    throw new HooklineError({ code: "OPTION_INVALID", what, next });
  }
  return url.href.replace(/\/+$/, "");
}

function keyIn(env: Environment, variable: string): string | undefined {
  const key = env[variable]?.trim();
  if (!key) return undefined;
  // The error of the failed request would quote the invalid header.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const what = `${variable} has characters that a key cannot have.`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Set it to the key only." });
  }
  return key;
}

function keyMissing(variable: string, service: string): HooklineError {
  return new ProgramError({ code: "MODEL_KEY_MISSING", what: `${service} needs a key, and ${variable} is not set.` });
}
