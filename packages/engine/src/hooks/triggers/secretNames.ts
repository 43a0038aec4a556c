/** Words of a name that say that its value is a secret: `dbPassword`, `X-Api-Key`, `GITHUB_TOKEN`, `accesstoken`. */
const SECRET_WORDS =
  /^(passwords|pwd|secrets|tokens|jwt|bearer|authorization|credentials?|creds|cookies?|apikeys|pat|dsn)$|(password|passwd|passphrase|secret|token|apikey|secretkey|privatekey|accesskey)$/;
/** A key is one only in such company: `sort_key` and `keyboard` are none. So is a pass: `second_pass` is none. */
const SECRET_PAIRS =
  /(^| )(api|private|access|secret|signing|encryption|master|auth|ssh|service|account|shared) keys?( |$)|(^| )(db|database|user|admin|root|smtp|mail|ftp|ldap|proxy|mysql|postgres|redis) pass( |$)|(^| )auth$/;
/** `max_tokens` is a number that nobody needs to hide. */
const COUNTS = /^(max|min|count|counts|limit|total|budget|usage|used|number|num|size|length|remaining|per)$/;
const COUNTED_TOKENS = /(^| )(prompt|completion|input|output|cached|reasoning|thinking) tokens( |$)/;
/** `src/token.ts` is a file, and what follows its colon a line. */
const FILE = /\.([cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|h|cc|cpp|cs|php|sh|md|json|ya?ml|toml|txt|sql|html|css|vue)$/;

/** The same few hundred names are asked for again and again; the bound is for a caller that invents them. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 5_000;

/** Whether a field of this name holds a secret. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  if (judged.size >= MOST_JUDGED) judged.clear();
  const verdict = judge(name);
  if (name.length <= LONGEST_NAME) judged.set(name, verdict);
  return verdict;
}

const LONGEST_NAME = 100;

function judge(name: string): boolean {
  if (FILE.test(name)) return false;
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$3 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const phrase = words.join(" ");
  if (words.some((word) => COUNTS.test(word)) || COUNTED_TOKENS.test(phrase)) return false;
  return words.some((word) => SECRET_WORDS.test(word)) || SECRET_PAIRS.test(phrase);
}
