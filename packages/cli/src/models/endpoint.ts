import { HooklineError } from "@hookline/engine";
import { ProgramError } from "../errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a model is asked, and with which key. */
export interface Endpoint {
  /** Without a slash at its end; undefined where the SDK knows it. */
  readonly baseUrl?: string;
  readonly key?: string;
  /** How long an answer may pause. */
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

/** A server of one's own often wants no key; the public one always does. */
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
    // Not shown: somebody may have put a key there.
    const what = `${source} has an address that is neither http nor https.`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Write it like `http://localhost:11434/v1`." });
  }
  if (url.username || url.password || url.search || url.hash) {
    const what = `The address in ${source} has more than a host and a path.`;
    const next = "Leave out user name, password, query and fragment; a key has a variable of its own.";
    throw new HooklineError({ code: "OPTION_INVALID", what, next });
  }
  return url.href.replace(/\/+$/, "");
}

function keyIn(env: Environment, variable: string): string | undefined {
  const key = env[variable]?.trim();
  if (!key) return undefined;
  // Sent all the same, it would come back inside the error that refuses it.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    const what = `${variable} has characters that no key has.`;
    throw new HooklineError({ code: "OPTION_INVALID", what, next: "Set it to the key and nothing else." });
  }
  return key;
}

function keyMissing(variable: string, service: string): HooklineError {
  return new ProgramError({ code: "MODEL_KEY_MISSING", what: `${service} needs a key, and ${variable} is not set.` });
}
