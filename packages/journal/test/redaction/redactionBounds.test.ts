import { describe, expect, test } from "vitest";
import { Redaction, type RedactionRules } from "../../src/redaction/redaction.ts";

const KIB = 1024;
const redaction = (rules: Partial<RedactionRules> = {}) =>
  new Redaction({ keys: [], patterns: [], values: [], payloadBytes: 4 * KIB, ...rules });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("a long text is cut to whole characters, and says how long it was", () => {
  const { value, redacted, cut } = redaction().text("😀".repeat(100_000));
  expect(value).toMatch(/^(?:😀)+… \(cut: 200,000 characters\)$/u);
  expect(Buffer.byteLength(value)).toBeGreaterThan(4 * KIB - 8);
  expect(Buffer.byteLength(value)).toBeLessThanOrEqual(4 * KIB);
  expect({ redacted, cut }).toEqual({ redacted: false, cut: true });
});

test("a text that just fits is kept", () => {
  const text = "ü".repeat(2 * KIB);
  expect(redaction().text(text)).toEqual({ value: text, redacted: false, cut: false });
});

const LIVE = "correct horse battery staple";
const body = "a1B2c3D4e5".repeat(5);
const SECRETS = {
  "a live value": LIVE,
  "a live value of several lines": `${LIVE}\n${LIVE}`,
  "a live value that is escaped": Array.from(
    LIVE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  ).join(""),
  "a token": `ghp_${body}`,
  "a private key": ["-----BEGIN PRIVATE KEY-----", body, body, "-----END PRIVATE KEY-----"].join("\n"),
  "a quoted value": `"password": "${"w0rd ".repeat(20)}"`,
};

describe.each(Object.entries(SECRETS))("%s", (_, secret) => {
  const parts = secret.split(/\s+/).filter((part) => part.length > 3 && !/PRIVATE|BEGIN|KEY|password/.test(part));
  const rules = { values: [`${LIVE}\n${LIVE}`, LIVE] };

  // Around what is kept, and around what is looked at: 4 KiB + 64 KiB + 4 KiB.
  test.each([4, 72])("leaves no part of itself where the text is cut, after %d KiB", (kib) => {
    for (let shift = -secret.length - 40; shift <= 4; shift += 3) {
      const before = "x ".repeat((kib * KIB + shift) / 2);
      const { value } = redaction(rules).text(`${before}${secret} ${"y ".repeat(100 * KIB)}`);
      for (const part of parts) expect(value.includes(part.slice(0, 6)), `${part} at ${shift}`).toBe(false);
    }
  });

  test("leaves no part of itself where so much was taken out before that the end of what is looked at is kept", () => {
    for (let shift = 0; shift <= secret.length; shift += 3) {
      const text = `${`${LIVE} `.repeat(3 * KIB).slice(0, 72 * KIB - shift)}${secret} ${"y ".repeat(100 * KIB)}`;
      const { value } = new Redaction({ keys: [], patterns: [], payloadBytes: 4 * KIB, ...rules }).text(text);
      for (const part of parts) expect(value.includes(part.slice(0, 6)), `${part} at ${shift}`).toBe(false);
    }
  });
});

test("of a large payload the longest texts are shortened first, and the short ones stay", () => {
  const given = { path: "config/prod.json", content: "x".repeat(1_000_000), note: "y".repeat(900), items: [1, 2] };
  const { value, redacted, cut } = redaction().payload(given);
  expect(value).toEqual({
    path: "config/prod.json",
    content: expect.stringMatching(/^x+… \(cut: 1,000,000 characters\)$/),
    note: "y".repeat(900),
    items: [1, 2],
  });
  expect(bytes(value)).toBeLessThanOrEqual(4 * KIB);
  expect({ redacted, cut }).toEqual({ redacted: false, cut: true });
});

test("of long lists the first items are kept, and the number of the others", () => {
  const list = Array.from({ length: 3_000 }, (_, index) => ({ id: index }));
  const { value, cut } = redaction().payload({ list, path: "p" });
  expect(value).toEqual({ list: [...list.slice(0, 100), "… (cut: 2,900 more)"], path: "p" });
  expect(cut).toBe(true);
});

test.each([
  ["a deep list", () => Array.from({ length: 50_000 }).reduce<unknown>((inner) => [inner], "end")],
  ["a deep list as text", () => `${"[".repeat(50_000)}${"]".repeat(50_000)}`],
  ["many fields", () => Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`field ${index}`, index]))],
  ["a long key", () => ({ ["k".repeat(1_000_000)]: 1 })],
  ["many long texts", () => Array.from({ length: 2_000 }, () => "password=hunter2 ".repeat(1_000))],
  ["a list of nothing", () => new Array(10_000_000)],
  ["control characters", () => "\u0000".repeat(100_000)],
  ["much in each of many", () => Array.from({ length: 40 }, () => Array.from({ length: 40 }, () => ["a".repeat(40)]))],
  ["an image", () => ({ before: "see", image: Buffer.alloc(200_000, "img").toString("base64"), after: "there" })],
])("%s takes no more than is allowed", (_, make) => {
  const { value, cut } = redaction().payload(make());
  expect(bytes(value)).toBeLessThanOrEqual(4 * KIB);
  expect(cut).toBe(true);
});

test("what stands around an image stays", () => {
  const image = `data:image/png;base64,${Buffer.alloc(200_000, "img").toString("base64")}`;
  expect(redaction().payload({ before: "see", image, after: "there" }).value).toEqual({
    before: "see",
    image: expect.stringMatching(/^data:image\/png;base64,.*… \(cut: 266,690 characters\)$/),
    after: "there",
  });
});

test.each([
  "a",
  "=",
  '"',
  "'",
  "\\",
  "-----BEGIN",
  "-----BEGIN PRIVATE KEY-----",
  "token=",
  "token:{",
  'token="',
  "eyJ",
  "\n ",
  "\\/",
  "\\u005c",
  "\\\\u005cu",
  `${"A".repeat(76)}\n`,
  "<a>",
  "<token ",
])("a megabyte of %j takes no longer than its length asks for", (piece) => {
  const text = piece.repeat(KIB ** 2 / piece.length);
  const startedAt = performance.now();
  redaction({ payloadBytes: 2 * KIB ** 2, values: [LIVE, piece.repeat(20)] }).payload({ text });
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test("a pattern that gives up lets nothing through", () => {
  const patterns = [`^(?:${"(a)?".repeat(30)}(b)(c))*d`];
  const { value } = redaction({ patterns, payloadBytes: 4 * KIB ** 2 }).text("abc".repeat(600_000));
  expect(value.slice(0, 100)).toBe("[redacted]");
});
