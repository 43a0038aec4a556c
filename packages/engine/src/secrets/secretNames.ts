import { isCredentialName } from "../process/credentialNames.ts";

/** Words that mark a name as secret: `dbPassword`, `X-Api-Key`, `GITHUB_TOKEN`, `accesstoken`, `password1`. */
const SECRET_WORDS =
  /^(passwords|pwd|secrets|tokens|jwt|bearer|authorization|credentials?|creds|cookies?|apikeys|pat|dsn)$|secret(?!ar)|password|credential|(passwd|passphrase|token|apikey|secretkey|privatekey|accesskey)\d*$/;
/** "key" and "pass" count only next to such words: `sort_key`, `keyboard` and `second_pass` are not secret. */
const SECRET_PAIRS =
  /(^| )(api|private|access|secret|signing|encryption|master|auth|ssh|service|account|shared) keys?( |$)|(^| )(db|database|user|admin|root|smtp|mail|ftp|ldap|proxy|mysql|postgres|redis) pass( |$)|(^| )auth$/;
/** "pass" alone is ambiguous; its value decides. */
const PASS = /^pass$/i;
/** Results of a check, or ordinals. */
const VERDICT = /^(?:y|yes|no?|ok|true|false|pass(?:ed)?|fail(?:ed)?|skip(?:ped)?|first|second|[\d.,/%]+)$/i;
/** Text also contains types, variable names and sentences. */
const TEXT_VERDICT = /^(?:[A-Za-z]+|[\d.,/%]+)?[^\w\s]*$|\s|^[{[]/;
/** `max_tokens` is a number and not secret. */
const COUNTS = /^(max|min|count|counts|limit|total|budget|usage|used|number|num|size|length|remaining|per)$/;
const COUNTED_TOKENS = /(^| )(prompt|completion|input|output|cached|reasoning|thinking) tokens( |$)/;
/** `src/token.ts` is a file; a line number follows its colon. */
const FILE = /\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|md|json|ya?ml|toml|txt|sql|html|css|vue)$/;

/** Cache: the same few hundred names repeat; bounded in case a caller invents names. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 5_000;

/** Whether a field of this name holds a secret; with a value, whether that value can be one. */
export function isSecretName(name: string, value?: unknown): boolean {
  return isJudged(name) && (value === undefined || canBeSecret(name, value));
}

/** Whether `pass: x` in a text is the result of a check. Reports write it with a capital. */
export function isVerdict(name: string, sign: string, value: string): boolean {
  if (!PASS.test(name)) return false;
  return TEXT_VERDICT.test(value) || (name !== "pass" && sign.trim() === ":");
}

/** Booleans and counts are not secret. */
function canBeSecret(name: string, value: unknown): boolean {
  if (typeof value === "boolean") return false;
  if (PASS.test(name)) return typeof value === "string" && !VERDICT.test(value);
  return !(typeof value === "number" && /tokens$/i.test(name));
}

function isJudged(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= MOST_JUDGED) judged.clear();
  const verdict = judge(name);
  if (name.length <= LONGEST_NAME) judged.set(name, verdict);
  return verdict;
}

const LONGEST_NAME = 100;

/** Spelled like an environment variable. Other names are fields, where `sort_key` and `key` are not secret. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

function judge(name: string): boolean {
  if (FILE.test(name)) return false;
  if (VARIABLE.test(name)) return isCredentialName(name);
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const phrase = words.join(" ");
  if (words.some((word) => COUNTS.test(word)) || COUNTED_TOKENS.test(phrase)) return false;
  return words.some((word) => SECRET_WORDS.test(word)) || SECRET_PAIRS.test(phrase) || PASS.test(phrase);
}
