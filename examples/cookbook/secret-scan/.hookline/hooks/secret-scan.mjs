// Keeps secrets out of files, commands and the arguments of every other tool.

const SECRETS = [
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
  ["an AWS access key", key("AKIA[A-Z0-9]{16}|ASIA[A-Z0-9]{16}")],
  ["a Google API key", key("AIza[A-Za-z0-9_-]{35}")],
  ["an npm token", key("npm_[A-Za-z0-9]{36}")],
  ["a GitLab token", key("glpat-[A-Za-z0-9_-]{20,99}")],
  ["a GitHub token", key("gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22,99}")],
  ["a Slack token", key("xox[abeoprs]-[A-Za-z0-9-]{10,99}")],
  ["a Stripe key", key("[rs]k_live_[A-Za-z0-9]{16,99}")],
  ["a key of a model's API", key("sk-(?:proj-|ant-|(?=[A-Za-z_-]{0,40}[0-9]))[A-Za-z0-9_-]{20,250}")],
  ["a bearer token", /bearer\s{1,9}(?=[A-Za-z._~+/-]{0,40}[0-9])[A-Za-z0-9._~+/=-]{20}/i],
  // `$`, `<` and `{` begin a placeholder, which is what should stand there.
  ["a password in an address", /:\/\/[^\s:/@]{1,99}:[^\s:/@$<{]{3,99}@/],
  [
    "a written-out secret",
    /(?:password|passwd|secret(?:_access)?(?:_key)?|token|api[_-]?key)["']?\s{0,9}[:=]\s{0,9}["'][^"'\s$<{]{12,199}["']/i,
  ],
  // As in .env, with letters and figures: TOKEN_LIMIT=10000000 is none, and TOKEN=process.env.TOKEN neither.
  [
    "a secret in a variable",
    /(?:PASSWORD|PASSWD|SECRET(?:_ACCESS)?(?:_KEY)?|TOKEN|API_?KEY)=(?=[^\s\d]{1,99}\d|\d{1,99}[A-Za-z])[^\s"'$<{(]{8,199}/,
  ],
];

function key(shape) {
  return new RegExp(`(?<![A-Za-z0-9])(?:${shape})`);
}

export default function secretScan({ tool_name, tool_input }) {
  for (const [field, text] of textsIn(tool_input)) {
    const readings = readingsOf(text);
    const secret = SECRETS.find(([, pattern]) => readings.some((reading) => pattern.test(reading)));
    // The reason goes to the model and into the journal, so it says what was found, never the text itself.
    if (secret) {
      const reason = `${field} of ${tool_name} contains what looks like ${secret[0]}. Read it from the environment instead.`;
      return { decision: "deny", reason };
    }
  }
}

/** Every text of the arguments, however deep. What `replace` takes out is let be: a secret must be removable. */
function* textsIn(value, field = "tool_input") {
  if (typeof value === "string") yield [field, value];
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) if (key !== "old_string") yield* textsIn(inner, key);
}

/** As it is; without invisible and look-alike characters; and with "AK" + "IA" and lines ending in \ put together. */
function readingsOf(text) {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  return [text, plain, plain.replace(/["'`]\s{0,9}[+.]?\s{0,9}["'`]|\\\r?\n/g, "")];
}
