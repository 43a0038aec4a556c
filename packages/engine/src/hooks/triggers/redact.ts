/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

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

/** Shapes in which the usual services hand out keys, and that no other text has, wherever they begin. */
const TOKENS = [
  "gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\\w{20,}|gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[\\w-]{16,}[\\w.]*",
  "xox[a-z]-[\\w-]{10,}|xapp-\\d-[\\w-]{10,}|hooks\\.slack\\.com/(?:services|workflows|triggers)/[\\w/]{16,}",
  "discord(?:app)?\\.com/api/webhooks/\\d{5,25}/[\\w-]{16,}",
  "(?:AKIA|ASIA)[A-Z0-9]{16}|[?&]sig=[\\w%+/=-]{16,}|X-(?:Amz|Goog)-Signature=[0-9a-f]{16,}",
  "AIza[\\w-]{30,}|ya29\\.[\\w-]{20,}|GOCSPX-[\\w-]{20,}",
  "[rsp]k_(?:live|test|prod)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{16,}",
  "npm_[A-Za-z0-9]{30,}|pypi-[\\w-]{16,}|rubygems_[0-9a-f]{32,}|dckr_pat_[\\w-]{20,}",
  "hf_[A-Za-z0-9]{30,}|gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{40,}|pplx-[A-Za-z0-9]{32,}|r8_[A-Za-z0-9]{32,}",
  "do[opr]_v1_[0-9a-f]{32,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}|dapi[0-9a-f]{32}",
  "hv[sbr]\\.[\\w-]{20,}|lin_api_\\w{30,}|ntn_[A-Za-z0-9]{30,}|figd_[\\w-]{20,}|glsa_\\w{30,}|sntry[su]_[\\w+/=-]{30,}",
  "ATATT3[\\w=-]{30,}|PMAK-[0-9a-f]{20,}[\\w-]*|sq0[a-z]{3}-[\\w-]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{40,}",
].join("|");
/** Where a word begins; also after a line feed that is written out, a colour, and what is percent-encoded. */
const WORD_BEGINS = "(?:(?<![\\w-])|(?<=\\\\[nrt]|\\\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}|\\[[0-9;]{0,9}m))";
/** Shapes that other words may end in. */
const WORDS = "sk-[\\w-]{16,}|SG\\.[\\w-]{16,}\\.[\\w-]{16,}|eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]*){0,3}";
const TOKEN = new RegExp(`${TOKENS}|(?=sk-|SG\\.|eyJ)${WORD_BEGINS}(?:${WORDS})`, "g");
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_REST = /(?<![\w+/=\s\\])[\w+/=\s\\]*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const TO_QUOTE = /[^"'`]*/g;
const SCHEME = /\b(bearer|basic)[ \t]+([\w.~+/=-]{6,})/gi;
const WORD = /^[A-Za-z]?[a-z]{1,19}[.=]?$/;
/** A port is no password; who has none in an address has a token for a name. */
const USER_INFO =
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/(?:[^\s/:@"']{0,100}:(?!\d{1,5}[/?#])|(?=[\w.~%+-]{20,500}@)))[^\s"'<>]{1,500}@/gi;
const CURL_USER =
  /((?:^|[\s"',])(?:-u|-U|--user|--proxy-user)(?:[ \t=,]|\\{0,15}["']){0,6}[^\s:"'\\-][^\s:"'\\]{0,99}:)([^\s"'\\]+)/g;
const NETRC = /(\b(?:machine|login|account|default)\s{1,8}(?:\S{1,200}\s{1,8})?password\s{1,8})(\S{1,500})/g;
/** All of the line: what these hold has spaces. */
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(\\{0,15}["']?[ \t]{0,4}:[ \t]{0,4})([^\s"'][^"'\r\n]*)/gi;
/** `password: my own words`, `password = my own words`, `PASSWORD=a&b;c`, at the beginning of a line. */
const LINE =
  /^([ \t]*(?:- |export )?)([\w.-]+)([ \t]{0,8}:[ \t]+(?=[^\s"'`|>{[])|[ \t]{1,8}=[ \t]+(?=[^\s"'`{[])|=(?=[^\s"'`=[]))((?<==)\S+|[^\r\n]+)/gm;
/** `password: |` or `passwords:`, whose value are the lines below that stand further in. */
const BLOCK = /^([ \t]*)(?:- )?["']?([\w.-]+)["']?:[ \t]*(?:[|>][-+\d]{0,2}[ \t]*)?\r?\n/gm;
const VALUES = [
  "\\\\{0,15}[\"'`]?\\[redacted\\]",
  // Quoted, up to a quote like the first, or one that ends the text around it.
  "(\\\\{0,15})([\"'`])(?:(?!(?<!\\\\)(?:\\4)?\\5)[^\\n])*(?:\\4(?=\\5))?",
  "\\{(?:[^{}]|\\{[^{}]*\\})*\\}",
  "\\[(?:[^[\\]]|\\[[^[\\]]*\\])*\\]",
  "(?<==)(?!=)[^\\s\"'`;&|)]+",
  "(?![=:>])[^\\s\"'`,;&|)}\\]]+",
].join("|");
const NAME = "(?<![\\w.-])((?:(?:api|access|secret|private)[ \\t])?[\\w.-]+)";
const BETWEEN = "(\\\\{0,15}[\"'`]?\\??[ \\t]{0,4}(?:=>|:=|={2,3}(?=[ \\t]{0,4}[\"'`])|[=:])[ \\t]{0,4})";
/** `DB_PASSWORD=x`, `"token": "x"`, also where that stands in quoted JSON. */
const ASSIGNED = new RegExp(`${NAME}${BETWEEN}(${VALUES})`, "gi");
/** `--api-key x`, `["--api-key", "x"]` */
const FLAG = new RegExp(
  `(?<![\\w-])(--?[a-z][\\w-]{1,60})([ \\t]+|\\\\{0,15}["'][ \\t]{0,4},\\s{0,40})(?!-)(${VALUES})`,
  "gi",
);
/** What says where a secret is, `$TOKEN`, is none. */
const REFERENCE = /^(?:\w{1,20} )?\$(?:[A-Z_][A-Z0-9_]*|\{\w+\}|\{\{[^{}]*\}\})[,;)}\]]*$/;
/** Nor is what names a type, or nothing; nor where the text was cut. */
const PLAIN =
  /^(?:str(?:ing)?|number|bool(?:ean)?|unknown|any|null|undefined|none|nil|true|false|bearer|basic|\{\}|\[\])?[,;)?}\]]*$|^…/i;
/** Nobody writes words like these: long, of one piece, with both cases and digits. */
const OPAQUE = /(?<![\w+/=.-])(?=[\w+-]*[a-z])(?=[\w+-]*[A-Z])(?=[\w+-]*[0-9])[\w+-]{32,200}(?![\w+/.-])/g;

type IsSecret = (name: string) => boolean;

/** Text without what looks like a secret; `isSecret` says what a name's value is. */
export function redactText(text: string, isSecret: IsSecret = isSecretName): string {
  const shapeless = redactPrivateKeys(text)
    .replace(TOKEN, REDACTED)
    .replace(SCHEME, (all, scheme: string, value: string) => (WORD.test(value) ? all : `${scheme} ${REDACTED}`))
    .replace(USER_INFO, `$1${REDACTED}@`)
    .replace(CURL_USER, redactCurlUser)
    .replace(NETRC, `$1${REDACTED}`);
  const nameless = /[=:]/.test(shapeless) ? redactAssigned(shapeless, isSecret) : shapeless;
  return nameless.replace(FLAG, namedBy(isSecret)).replace(OPAQUE, REDACTED);
}

/** One whose end was cut off reaches to the next quote, one whose beginning was as far back as it looks like one. */
function redactPrivateKeys(text: string): string {
  if (!text.includes("PRIVATE KEY")) return text;
  let kept = "";
  let done = 0;
  let lastEnd = text.length;
  for (const { index } of text.matchAll(KEY_BEGINS)) {
    if (index < done) continue;
    kept += text.slice(done, index) + REDACTED;
    // What has no end here has none further on.
    if (lastEnd >= index) lastEnd = endOf(KEY_ENDS, text, index);
    done = lastEnd >= index ? lastEnd : endOf(TO_QUOTE, text, index);
  }
  return (kept + text.slice(done)).replace(KEY_REST, REDACTED);
}

/** Where the next match ends; -1 without one. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** `docker run -u me:us` names a group. */
function redactCurlUser(all: string, before: string, _: string, at: number, text: string): string {
  return text.slice(Math.max(0, at - 500), at).includes("curl") ? `${before}${REDACTED}` : all;
}

function redactAssigned(text: string, isSecret: IsSecret): string {
  return redactBlocks(text, isSecret)
    .replace(HEADER, (all, name: string, between: string, value: string) => {
      if (isHarmless(name, value)) return all;
      return `${name}${between}${REDACTED}${/^\S+ \[redacted\]$/.test(value) ? ` ${REDACTED}` : ""}`;
    })
    .replace(LINE, (all, before: string, name: string, between: string, value: string) =>
      isSecret(name) && !isHarmless(name, value) ? `${before}${name}${between}${REDACTED}` : all,
    )
    .replace(ASSIGNED, namedBy(isSecret));
}

function redactBlocks(text: string, isSecret: IsSecret): string {
  let kept = "";
  let done = 0;
  for (const { index, 0: line, 1: indent = "", 2: name = "" } of text.matchAll(BLOCK)) {
    const from = index + line.length;
    if (index < done || !isSecret(name)) continue;
    const to = endOfBlock(text, from, indent);
    if (["", REDACTED].includes(text.slice(from, to).trim())) continue;
    kept += `${text.slice(done, from)}${indent}  ${REDACTED}\n`;
    done = to;
  }
  return kept + text.slice(done);
}

function endOfBlock(text: string, from: number, indent: string): number {
  let at = from;
  while (at < text.length) {
    const isFurtherIn = text.startsWith(indent, at) && /[ \t-]/.test(text.charAt(at + indent.length));
    if (!isFurtherIn && text.charAt(at) !== "\n") return at;
    const end = text.indexOf("\n", at);
    at = end < 0 ? text.length : end + 1;
  }
  return at;
}

function namedBy(isSecret: IsSecret) {
  return (all: string, name: string, between: string, value: string, open = "", quote = ""): string => {
    if (!isSecret(name) || isHarmless(name, value.slice(open.length + quote.length))) return all;
    return `${name}${between}${open}${quote}${REDACTED}`;
  };
}

function isHarmless(name: string, value: string): boolean {
  return (
    /^\\*["'`]?\[redacted\]$/.test(value) ||
    PLAIN.test(value) ||
    REFERENCE.test(value) ||
    (/tokens$/i.test(name) && /^\d+\W*$/.test(value))
  );
}

/** For `JSON.stringify`: fields with a secret's name lose their value, other texts what looks like a secret. */
export function redactField(key: string, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === "boolean") return value;
  if (isSecretName(key)) return REDACTED;
  return typeof value === "string" ? redactText(value) : value;
}
