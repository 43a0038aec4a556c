// Keeps secrets out of files, commands and the arguments of every other tool.

const SECRETS = [
  ["a private key", /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/],
  ["an AWS access key", /(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])/],
  ["a GitHub token", /gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22}/],
  ["a Slack token", /xox[abeoprs]-[A-Za-z0-9-]{10}/],
  ["a Google API key", /AIza[\w-]{35}/],
  ["a Stripe key", /[rs]k_live_[A-Za-z0-9]{16}/],
  // `$`, `<` and `{` begin a placeholder, which is what should stand there.
  ["a password in an address", /:\/\/[^\s:/@]{1,99}:[^\s:/@$<{]{3,99}@/],
  ["a written-out secret", /(?:password|secret|token|api_?key)["']?\s{0,9}[:=]\s{0,9}["'][^"'\s$<{]{12,199}["']/i],
];

export default function secretScan({ tool_name, tool_input }) {
  for (const [field, text] of textsIn(tool_input)) {
    const secret = SECRETS.find(([, pattern]) => readings(text).some((reading) => pattern.test(reading)));
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
function readings(text) {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "");
  return [text, plain, plain.replace(/["'`]\s{0,9}[+.]?\s{0,9}["'`]|\\\r?\n/g, "")];
}
