import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { summarise } from "../../src/hooks/triggers/summary.ts";
import { redactText } from "../../src/secrets/redact.ts";
import { REDACTED } from "../../src/secrets/redacted.ts";
import { isSecretName } from "../../src/secrets/secretNames.ts";

const SECRET = "hunter2-is-not-it";
const secret = fc.stringMatching(/^[A-Za-z0-9]{12,40}$/);

describe("names of secrets", () => {
  test.each([
    "password",
    "dbPassword",
    "DB_PASSWORD",
    "X-Api-Key",
    "apiKey",
    "GITHUB_TOKEN",
    "authorization",
    "client_secret",
    "privateKey",
    "cookie",
    "AWSSecretKey",
    "accesstoken",
    "AccountKey",
    "DB_PASS",
    "_auth",
    "password1",
    "new_password2",
    "pass",
  ])("%s is one", (name) => expect(isSecretName(name)).toBe(true));
  test.each([
    "path",
    "sort_key",
    "keyboard",
    "max_tokens",
    "tokenCount",
    "tokenizer",
    "author",
    "pattern",
    "key",
    "passed",
    "second_pass",
    "pass2",
    "auth0",
    "prompt_tokens",
    "src/token.ts",
    "",
  ])("%j is none", (name) => expect(isSecretName(name)).toBe(false));
  test.each([
    ["pass", "hunter"],
    ["pass", "my own words"],
    ["PASS", "hunter2"],
    ["db_pass", 123_456],
    ["token", 12],
  ])("%s is one with the value %j", (name, value) => expect(isSecretName(name, value)).toBe(true));
  test.each([
    ["pass", true],
    ["pass", 12],
    ["pass", "passed"],
    ["pass", "first"],
    ["pass", "12/13"],
    ["pass", ["a", "b"]],
    ["token", false],
    ["tokens", 12],
  ])("%s is none with the value %j", (name, value) => expect(isSecretName(name, value)).toBe(false));
});

test.each([
  ["curl -H 'Authorization: Bearer abc.def-ghi' x", "curl -H 'Authorization: [redacted] [redacted]' x"],
  ["run foo DB_PASSWORD=x1 bar", "run foo DB_PASSWORD=[redacted] bar"],
  ['{"token":"a\\"b","path":"p"}', '{"token":"[redacted]","path":"p"}'],
  ['"{\\"token\\":\\"abc\\",\\"path\\":\\"p\\"}"', '"{\\"token\\":\\"[redacted]",\\"path\\":\\"p\\"}"'],
  ["login --password s3cret --user me", "login --password [redacted] --user me"],
  ["git clone https://me:pw@host/x.git", "git clone https://me:[redacted]@host/x.git"],
  [`key ghp_${"a1B2".repeat(9)} end`, "key [redacted] end"],
  ["-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", REDACTED],
  ["commit 8a9516b7c2d4e6f80112233445566778899aabbc", "commit 8a9516b7c2d4e6f80112233445566778899aabbc"],
  ["the token is in the vault; src/Some1Path/WithCase.ts", "the token is in the vault; src/Some1Path/WithCase.ts"],
  ['"url": "https://h/x?token=abc123&a=b"', '"url": "https://h/x?token=[redacted]&a=b"'],
  ["sh -c 'login --password s3cret'", "sh -c 'login --password [redacted]'"],
  [`{"token":"it's","path":"p"}`, `{"token":"[redacted]","path":"p"}`],
  ['"{\\"token\\":\\"a\\\\\\"b\\"}"', '"{\\"token\\":\\"[redacted]"}"'],
  ["password=hunter2-[redacted] x", "password=[redacted] x"],
  ['log {"credentials":{"a":{"b":{"c":"d"}}},', 'log {"credentials":[redacted]'],
  ["Cookie: a=b; c=d\nHost: h", "Cookie: [redacted]\nHost: h"],
  ["psql postgres://me:p@ss/word@host/db", "psql postgres://me:[redacted]@host/db"],
  [`npm ERR! \u001b[31mghp_${"a1B2".repeat(9)}\u001b[0m`, "npm ERR! \u001b[31m[redacted]\u001b[0m"],
  [`"one\\nsk-${"a1b2".repeat(9)}"`, '"one\\n[redacted]"'],
  ["password: $DB_PASSWORD", "password: $DB_PASSWORD"],
  ["password: $ecret1", "password: [redacted]"],
  ["src/token.ts:12:3 token: string", "src/token.ts:12:3 token: string"],
  ["<user>me</user><password>my own words</password>", "<user>me</user><password>[redacted]</password>"],
  ['<wsse:Password Type="x">\n hunter2\n</wsse:Password >', '<wsse:Password Type="x">[redacted]</wsse:Password >'],
  ["<token><![CDATA[hunter2]]></token>", "<token><![CDATA[[redacted]]]></token>"],
  ['log {"xml":"<apiKey>hunter2<\\/apiKey>"', 'log {"xml":"<apiKey>[redacted]<\\/apiKey>"'],
  ["<token>$TOKEN</token><passed>12</passed>", "<token>$TOKEN</token><passed>12</passed>"],
  ["user=me pass=hunter2", "user=me pass=[redacted]"],
  ["smtp:\n  user: me\n  pass: s3cret", "smtp:\n  user: me\n  pass: [redacted]"],
  ["mount --pass hunter2 x", "mount --pass [redacted] x"],
  ['log {"pass":"hunter2"}', 'log {"pass":"[redacted]"}'],
  ["PASS: tests/a.sh\nFAIL: tests/b.sh", "PASS: tests/a.sh\nFAIL: tests/b.sh"],
  ["pass: 12, fail: 0; pass: 3/4", "pass: 12, fail: 0; pass: 3/4"],
  ["pass: all of them are green", "pass: all of them are green"],
  ['{"pass": true, x', '{"pass": true, x'],
  ["readonly pass: Pass; let pass = first;", "readonly pass: Pass; let pass = first;"],
  ["pass:\n  - one\n  - two", "pass:\n  - one\n  - two"],
  ["password1=hunter2", "password1=[redacted]"],
])("%s is shown as %s", (text, shown) => {
  expect(redactText(text)).toBe(shown);
});

test("the value of a field with a secret's name is never in a summary, however deep it is", () => {
  const names = fc.constantFrom("password", "apiKey", "access_token", "Authorization", "client-secret");
  const harmless = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 });
  fc.assert(
    fc.property(names, secret, harmless, fc.nat(3), (name, value, around, depth) => {
      let tree: unknown = { ...around, [name]: value };
      for (let level = 0; level < depth; level++) tree = level % 2 ? [tree] : { inner: tree };
      fc.pre(!JSON.stringify(around).includes(value));
      expect(summarise(tree)).not.toContain(value);
    }),
  );
});

test("a secret that a text assigns to its name is not in a summary", () => {
  const separators = fc.constantFrom("=", ": ", '="', "='");
  fc.assert(
    fc.property(fc.constantFrom("API_KEY", "password", "auth-token"), separators, secret, (name, separator, value) => {
      expect(summarise({ command: `deploy --now ${name}${separator}${value}` })).not.toContain(value);
    }),
  );
});

test("redacting again changes nothing", () => {
  const pieces = fc.constantFrom(
    "token",
    "=",
    ":",
    " ",
    '"',
    "'",
    "\\",
    "--",
    "password",
    "Bearer ",
    "abc123",
    "\n",
    REDACTED,
    "://",
    "@",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
      const once = redactText(parts.join(""));
      expect(redactText(once)).toBe(once);
    }),
  );
});

test("a summary of anything has at most 2,000 characters", () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 3 }), (value) => {
      expect(summarise(value).length).toBeLessThanOrEqual(2_000);
    }),
  );
  expect(summarise("x".repeat(5_000))).toHaveLength(2_000);
  expect(summarise(Array.from({ length: 3_000 }, (_, index) => index))).toHaveLength(2_000);
});

test("a short field survives beside long ones, wherever it stands: a guard that reads it cannot be talked past", () => {
  const summary = summarise({ content: "x".repeat(100_000), note: "y".repeat(9_000), path: "config/prod.json" });
  expect(JSON.parse(summary)).toMatchObject({ path: "config/prod.json" });
});

test("a long text costs no more than its length", () => {
  for (const piece of [
    "a",
    "token",
    "a.",
    "=",
    '"',
    "--a ",
    "Aa1",
    "-----BEGIN PRIVATE KEY-----",
    "://a:",
    "<a>",
    "<a ",
    "<token>x",
  ]) {
    const startedAt = performance.now();
    redactText(piece.repeat(200_000 / piece.length));
    expect(performance.now() - startedAt, piece).toBeLessThan(5_000);
  }
  expect(redactText(SECRET)).toBe(SECRET);
});
