/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** Words of a name that say that its value is a secret: `dbPassword`, `X-Api-Key`, `GITHUB_TOKEN`. */
const SECRET_WORDS =
  /^(password|passwd|passwords|passphrase|pwd|secret|secrets|token|tokens|jwt|bearer|authorization|credential|credentials|creds|cookie|cookies|apikey|apikeys|privatekey|accesskey|pat|dsn)$/;
/** A key is one only in such company: `sort_key` and `keyboard` are none. */
const SECRET_KEYS = /(^| )(api|private|access|secret|signing|encryption|master|auth|ssh|service) keys?( |$)/;
/** `max_tokens` is a number that nobody needs to hide. */
const COUNTS = /^(max|min|count|counts|limit|total|budget|usage|used|number|num|size|length|remaining|per)$/;

/** Whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.some((word) => COUNTS.test(word))) return false;
  return words.some((word) => SECRET_WORDS.test(word)) || SECRET_KEYS.test(words.join(" "));
}

/** Shapes in which the usual services hand out keys, and a few that no other text has. */
const TOKENS = [
  "sk-[\\w-]{16,}",
  "gh[pousr]_\\w{20,}",
  "github_pat_\\w{20,}",
  "glpat-[\\w-]{16,}",
  "xox[a-z]-[\\w-]{10,}",
  "(?:AKIA|ASIA)[A-Z0-9]{16}",
  "AIza[\\w-]{30,}",
  "ya29\\.[\\w-]{20,}",
  "npm_\\w{30,}",
  "hf_\\w{30,}",
  "eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*)?",
].join("|");
const TOKEN = new RegExp(`(?<![\\w-])(?:${TOKENS})`, "g");
const PRIVATE_KEY = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/g;
const SCHEME = /\b(bearer|basic)[ \t]+[\w.~+/=-]{6,}/gi;
const USER_INFO = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,500}@/gi;
/** `DB_PASSWORD=x`, `"token": "x"`, also where that stands in quoted JSON. */
const ASSIGNED =
  /\b([\w.-]{0,40}(?:pass|pwd|secret|token|jwt|bearer|auth|cred|cookie|key|pat|dsn)[\w.-]{0,40})(\\*["']?[ \t]{0,4}[=:][ \t]{0,4})(\[redacted\]|\\+["'][^"'\n]*|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"',;&|)}\]]+)/gi;
/** `--api-key x` */
const FLAG = /(--[A-Za-z][\w-]{1,60})([ \t]+)(\[redacted\]|"[^"\n]*"?|'[^'\n]*'?|[^\s"'-][^\s"']*)/g;
/** Nobody writes words like these: long, of one piece, with both cases and digits. */
const OPAQUE = /(?<![\w+/=.-])(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])(?=[\w+-]*[0-9])[\w+-]{32,200}(?![\w+/.-])/g;

/** Text without what looks like a secret. */
export function redactText(text: string): string {
  return text
    .replace(PRIVATE_KEY, REDACTED)
    .replace(TOKEN, REDACTED)
    .replace(SCHEME, (_, scheme: string) => `${scheme} ${REDACTED}`)
    .replace(USER_INFO, (_, before: string) => `${before}${REDACTED}@`)
    .replace(ASSIGNED, redactNamed)
    .replace(FLAG, redactNamed)
    .replace(OPAQUE, REDACTED);
}

function redactNamed(all: string, name: string, between: string, value: string): string {
  if (value === REDACTED || !isSecretName(name)) return all;
  const quote = /^\\*["']/.exec(value)?.[0] ?? "";
  return `${name}${between}${quote}${REDACTED}${quote.startsWith("\\") ? "" : quote}`;
}

/** For `JSON.stringify`: fields with a secret's name lose their value, other texts what looks like a secret. */
export function redactField(key: string, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (isSecretName(key)) return REDACTED;
  return typeof value === "string" ? redactText(value) : value;
}
