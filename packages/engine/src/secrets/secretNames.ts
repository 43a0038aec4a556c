import { isCredentialName } from "../process/credentialNames.ts";

/** Words of a name that say that its value is a secret: `dbPassword`, `X-Api-Key`, `GITHUB_TOKEN`, `accesstoken`, `password1`. */
const SECRET_WORDS =
  /^(passwords|pwd|secrets|tokens|jwt|bearer|authorization|credentials?|creds|cookies?|apikeys|pat|dsn)$|secret(?!ar)|password|credential|(passwd|passphrase|token|apikey|secretkey|privatekey|accesskey)\d*$/;
/** A key is one only in such company: `sort_key` and `keyboard` are none. So is a pass: `second_pass` is none. */
const SECRET_PAIRS =
  /(^| )(api|private|access|secret|signing|encryption|master|auth|ssh|service|account|shared) keys?( |$)|(^| )(db|database|user|admin|root|smtp|mail|ftp|ldap|proxy|mysql|postgres|redis) pass( |$)|(^| )auth$/;
/** By itself it is one or the other, and its value has to tell. */
const PASS = /^pass$/i;
/** How it went, or which one it is. */
const VERDICT = /^(?:y|yes|no?|ok|true|false|pass(?:ed)?|fail(?:ed)?|skip(?:ped)?|first|second|[\d.,/%]+)$/i;
/** In text there are also types and names of variables, and sentences. */
const TEXT_VERDICT = /^(?:[A-Za-z]+|[\d.,/%]+)?[^\w\s]*$|\s|^[{[]/;
/** `max_tokens` is a number that nobody needs to hide. */
const COUNTS = /^(max|min|count|counts|limit|total|budget|usage|used|number|num|size|length|remaining|per)$/;
const COUNTED_TOKENS = /(^| )(prompt|completion|input|output|cached|reasoning|thinking) tokens( |$)/;
/** `src/token.ts` is a file, and what follows its colon a line. */
const FILE = /\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|md|json|ya?ml|toml|txt|sql|html|css|vue)$/;

/** The same few hundred names are asked for again and again; the bound is for a caller that invents them. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 5_000;

/** Whether a field of this name holds a secret; where its value is given, whether that can be one. */
export function isSecretName(name: string, value?: unknown): boolean {
  return isJudged(name) && (value === undefined || canBeSecret(name, value));
}

/** Whether `pass: x` in a text says how something went. Reports write it with a capital. */
export function isVerdict(name: string, sign: string, value: string): boolean {
  if (!PASS.test(name)) return false;
  return TEXT_VERDICT.test(value) || (name !== "pass" && sign.trim() === ":");
}

/** Whether there is one, and how many are counted, may be known. */
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

/** Written like a variable of an environment. Other names are of fields, where `sort_key` and `key` hold no secret. */
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
