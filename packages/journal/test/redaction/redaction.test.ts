import { describe, expect, test } from "vitest";
import { Redaction, type RedactionRules } from "../../src/redaction/redaction.ts";

const redaction = (rules: Partial<RedactionRules> = {}) =>
  new Redaction({ keys: [], patterns: [], values: [], payloadBytes: 64 * 1024, ...rules });

// Made of pieces, so that no scanner takes this file for a leak.
const body = (length: number) => "a1B2c3D4e5".repeat(length / 10 + 1).slice(0, length);
const hex = (length: number) => "0a1b2c3d4e".repeat(length / 10 + 1).slice(0, length);
const pem = (kind: string) => {
  const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} ${kind}-----`);
  return `${begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${hex(32)}\n\n${body(64)}\n${body(20)}==\n${end}`;
};
const jwt = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0In0", body(43)].join(".");

const TOKENS = {
  "an AWS key": `AKIA${"ABCD1234".repeat(2)}`,
  "a GitHub token": `ghp_${body(36)}`,
  "a fine-grained GitHub token": `github_pat_${body(22)}_${body(59)}`,
  "a GitLab token": `glpat-${body(20)}`,
  "a Slack token": `xoxb-${"1234567890"}-${body(24)}`,
  "a Slack webhook": `https://hooks.slack.com/services/T0000/B0000/${body(24)}`,
  "an OpenAI key": `sk-proj-${body(40)}`,
  "an Anthropic key": `sk-ant-api03-${body(40)}-AA`,
  "a Google key": `AIza${body(35)}`,
  "a Stripe key": `sk_live_${body(24)}`,
  "a restricted Stripe key": `rk_live_${body(24)}`,
  "an npm token": `npm_${body(36)}`,
  "a PyPI token": `pypi-AgEIcHlwaS5vcmc${body(40)}`,
  "a Hugging Face token": `hf_${body(34)}`,
  "a SendGrid key": `SG.${body(22)}.${body(43)}`,
  "a JWT": jwt,
};
const PLACES: readonly (readonly [string, (secret: string) => unknown])[] = [
  ["a field", (secret) => ({ note: secret })],
  ["a nested field", (secret) => ({ tool_input: { deep: [{ er: secret }] } })],
  ["a key", (secret) => ({ sessions: { [secret]: { user: "me" } } })],
  ["a list", (secret) => ["a", secret, "b"]],
  ["text", (secret) => `started\nusing ${secret} now\ndone`],
  ["coloured text", (secret) => `\u001b[31m${secret}\u001b[0m`],
  ["a map", (secret) => new Map([["a", secret]])],
  ["an error", (secret) => new Error(`no access with ${secret}`)],
  ["JSON text", (secret) => ({ arguments: JSON.stringify({ a: [secret] }) })],
  ["JSON in JSON text", (secret) => JSON.stringify(JSON.stringify({ a: `x\n${secret}` }))],
  ["broken JSON text", (secret) => `{"a":"x\\n${secret}", …`],
];

describe.each(Object.entries(TOKENS))("%s", (_, token) => {
  test.each(PLACES)("is taken out of %s", (_place, plant) => {
    const { value, redacted, cut } = redaction().payload(plant(token));
    expect(JSON.stringify(value)).not.toContain(token.slice(-16));
    expect({ redacted, cut }).toEqual({ redacted: true, cut: false });
  });
});

test.each([
  ["an RSA key", `before\n${pem("RSA PRIVATE KEY")}\nafter`, "before\n[redacted]\nafter"],
  ["two keys", `${pem("PRIVATE KEY")} ${pem("EC PRIVATE KEY")}`, "[redacted] [redacted]"],
  ["a key without its end", pem("PRIVATE KEY").slice(0, 150), "[redacted]"],
  ["a key without its beginning", `log: ${pem("PRIVATE KEY").slice(120)} ok`, "log:[redacted] ok"],
  [
    "an Azure address",
    "AccountName=me;AccountKey=abc+/9==;EndpointSuffix=x",
    "AccountName=me;AccountKey=[redacted];EndpointSuffix=x",
  ],
  ["a database's address", "postgres://me:p/w@d@db/x", "postgres://me:[redacted]@db/x"],
  ["a port and a scope", "https://registry:4873/@scope/x", "https://registry:4873/@scope/x"],
  ["a token as a user", `https://${body(24)}@host/x`, "https://[redacted]@host/x"],
  ["a header", "Authorization: Digest user, response=abc", "Authorization: [redacted]"],
  ["a header of another kind", "curl -H 'X-Api-Key: abc123' host", "curl -H 'X-Api-Key: [redacted]' host"],
  ["cookies", "Cookie: a=b; sid=hunter2; c=d\nHost: x", "Cookie: [redacted]\nHost: x"],
  ["a cookie that is set", "< Set-Cookie: sid=hunter2; Path=/", "< Set-Cookie: [redacted]"],
  [
    ".env text",
    "PORT=80\nDB_PASS=a&b;c\nexport API_KEY='it is'\n",
    "PORT=80\nDB_PASS=[redacted]\nexport API_KEY='[redacted]'\n",
  ],
  ["YAML", "user: me\npassword: my own words\nport: 1", "user: me\npassword: [redacted]\nport: 1"],
  ["a YAML block", "a:\n  secret: |\n    one\n    two\n  b: 1", "a:\n  secret: |\n    [redacted]\n  b: 1"],
  ["a YAML list", "tokens:\n  - one\n  - two\nb: 1", "tokens:\n  [redacted]\nb: 1"],
  ["INI text", "[db]\npassword = my own words\nport = 1", "[db]\npassword = [redacted]\nport = 1"],
  ["a flag", "login --password hunter2 --user me", "login --password [redacted] --user me"],
  ["a flag in quotes", `login --password "it's me" x`, `login --password "[redacted]" x`],
  ["curl's user", "curl -s -u me:hunter2 host", "curl -s -u me:[redacted] host"],
  ["netrc", "machine host login me password hunter2", "machine host login me password [redacted]"],
  [
    "JSON in a line of a log",
    'POST {"user":"me","credentials":{"a":"b"}}',
    'POST {"user":"me","credentials":[redacted]}',
  ],
  ["a quote in a quoted value", `{"token":"a'b\\"c"} x`, `{"token":"[redacted]"} x`],
  ["a password that names itself", "API key: abc123", "API key: [redacted]"],
])("what is secret in %s is taken out", (_, text, shown) => {
  expect(redaction().text(text)).toEqual({ value: shown, redacted: text !== shown, cut: false });
});

test.each([
  "mysql -p 3306 -pw",
  "docker run -u 1000:1000 -u node:node image",
  "the token is in the vault; Basic authentication; cookies",
  "commit 8a9516b7c2d4e6f80112233445566778899aabbc",
  "id 0b1f7c2e-9d3a-4c55-8f6e-2a7b9c0d1e2f",
  "src/auth/token.ts:42:7 - error TS2322",
  "Token::new(); if (token == other) {} (token) => token",
  "function login(password: string, token?: string): void",
  'curl -H "Authorization: Bearer $TOKEN" https://host:8443/x',
  "password=$DB_PASSWORD other=1",
  'max_tokens: 5, "prompt_tokens": 12, total_tokens=3, "tokens": 7',
  "task-runner-with-a-long-name risk-assessment-framework",
  "/home/me/.config/hookline/settings.json C:\\Users\\me\\x.txt",
])("%j has no secret", (text) => {
  expect(redaction().text(text)).toEqual({ value: text, redacted: false, cut: false });
});

test("fields that name a secret lose their value, whatever it is, and others keep theirs", () => {
  const given = {
    password: "x",
    apiKey: 12_345,
    credentials: { user: "me", password: "x" },
    cookies: ["a", "b"],
    hasToken: true,
    token: null,
    max_tokens: 5,
    usage: { prompt_tokens: 7, tokens: 9 },
    path: "src/token.ts",
    command: ["login", "--password", "hunter2", "--user", "me"],
    env: [
      { name: "API_KEY", value: "x" },
      { name: "HOME", value: "/home/me" },
    ],
    arguments: '{ "password": "x", "path": "p" }',
    escaped: '{"p\\u0061ssword":"x"}',
  };
  expect(redaction().payload(given)).toEqual({
    value: {
      password: "[redacted]",
      apiKey: "[redacted]",
      credentials: "[redacted]",
      cookies: "[redacted]",
      hasToken: true,
      token: null,
      max_tokens: 5,
      usage: { prompt_tokens: 7, tokens: 9 },
      path: "src/token.ts",
      command: ["login", "--password", "[redacted]", "--user", "me"],
      env: [
        { name: "API_KEY", value: "[redacted]" },
        { name: "HOME", value: "/home/me" },
      ],
      arguments: '{"password":"[redacted]","path":"p"}',
      escaped: '{"password":"[redacted]"}',
    },
    redacted: true,
    cut: false,
  });
});

test("a field is judged by what stands beside it, and an item by what stands before it", () => {
  const key = pem("RSA PRIVATE KEY").split("\n");
  const given = {
    parameters: [{ Name: "DB_PASSWORD", Value: "x" }],
    tags: [{ Key: "team", Value: "blue" }],
    headers: [
      ["x-api-key", "x"],
      ["accept", "text/html"],
    ],
    counted: [["token", 12]],
    required: ["password", "email"],
    login: { user: "me", pass: "words", password1: "x" },
    results: { pass: true, passed: 3 },
    lines: ["before", ...key, "after"],
    cut: [...key.slice(0, 3), { after: 1 }, "after"],
  };
  expect(redaction().payload(given)).toEqual({
    value: {
      ...given,
      parameters: [{ Name: "DB_PASSWORD", Value: "[redacted]" }],
      headers: [
        ["x-api-key", "[redacted]"],
        ["accept", "text/html"],
      ],
      login: { user: "me", pass: "[redacted]", password1: "[redacted]" },
      lines: ["before", ...key.map((line) => (line === "" ? "" : "[redacted]")), "after"],
      cut: ["[redacted]", "[redacted]", "[redacted]", { after: 1 }, "after"],
    },
    redacted: true,
    cut: false,
  });
});

test("the settings' keys count in data and in text, without regard to case, dashes and underscores", () => {
  const chosen = redaction({ keys: ["customer-id"] });
  expect(chosen.payload({ customerId: 7, CUSTOMER_ID: false, customer: "x", body: '{"customer_id":"y"}' })).toEqual({
    value: { customerId: "[redacted]", CUSTOMER_ID: "[redacted]", customer: "x", body: '{"customer_id":"[redacted]"}' },
    redacted: true,
    cut: false,
  });
  expect(chosen.text("customer-id=abc other=1").value).toBe("customer-id=[redacted] other=1");
});

test("the settings' patterns are taken out; one that matches nothing at all does no harm", () => {
  const patterns = ["PRJ-\\d+", "x*", "(?<=<)\\p{L}+(?=>)", "redac\\w+"];
  expect(redaction({ patterns }).text("see PRJ-123 by <Jürgen> 😀").value).toBe("see [redacted] by <[redacted]> 😀");
});

test("live values are taken out as they are, the longest first, also where they stand in numbers and keys", () => {
  const values = ["hunter2", "hunter2-long", "12345678", "a.b*c(d", "redacted"];
  const given = {
    a: "hunter2-long, hunter2",
    b: 12_345_678,
    "is hunter2": 1,
    "has hunter2": 2,
    c: "xa.b*c(dx",
    d: "redacted",
  };
  expect(redaction({ values }).payload(given)).toEqual({
    value: {
      a: "[redacted], [redacted]",
      b: "[redacted]",
      "is [redacted]": 1,
      "has [redacted]": 2,
      c: "x[redacted]x",
      d: "redacted",
    },
    redacted: true,
    cut: false,
  });
});

test("keys that are shown alike stay apart, and none changes what an object is", () => {
  const given = JSON.parse('{"hunter2":1,"[redacted]":2,"__proto__":{"password":"x"}}');
  const { value } = redaction({ values: ["hunter2"] }).payload(given);
  expect(JSON.stringify(value)).toBe('{"[redacted]":1,"[redacted] 1":2,"__proto__":{"password":"[redacted]"}}');
});

test("what is no plain data becomes something readable", () => {
  const circle: Record<string, unknown> = { a: 1 };
  circle.self = circle;
  const throws = Object.defineProperty({}, "x", { enumerable: true, get: () => expect.fail("read") });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const given = {
    bytes: Buffer.from("hunter2"),
    date: new Date(0),
    never: new Date(Number.NaN),
    map: new Map([["password", "x"]]),
    set: new Set([1, "a"]),
    big: 10n,
    call: function named() {},
    symbol: Symbol("s"),
    circle,
    throws,
    revoked: revoked.proxy,
    url: new URL("https://me:pw@host/"),
    nothing: undefined,
  };
  expect(redaction().payload(given).value).toEqual({
    bytes: "(7 bytes)",
    date: "1970-01-01T00:00:00.000Z",
    never: "(invalid date)",
    map: { password: "[redacted]" },
    set: [1, "a"],
    big: "10",
    call: "(function named)",
    symbol: "(Symbol(s))",
    circle: { a: 1, self: "(circular)" },
    throws: "(unreadable)",
    revoked: "(unreadable)",
    url: "https://me:[redacted]@host/",
    nothing: undefined,
  });
});
