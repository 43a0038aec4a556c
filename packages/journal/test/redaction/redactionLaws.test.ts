import { deserialize, serialize } from "node:v8";
import fc from "fast-check";
import { expect, test } from "vitest";
import { liveSecrets } from "../../src/redaction/liveSecrets.ts";
import { plainCopy } from "../../src/redaction/plainCopy.ts";
import { Redaction } from "../../src/redaction/redaction.ts";

const rules = { keys: ["customer"], patterns: ["PRJ-\\d+"], values: [], payloadBytes: 2_048 };
const live = fc
  .stringMatching(/^[\w!@#%&*+/=.~ü😀-]{8,40}$/u)
  .filter((value) => liveSecrets({ A_TOKEN: value }).length > 0);
const around = fc.string({ unit: "binary", maxLength: 20 });

/** As other languages write JSON. */
const inAscii = (json: string) =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Somewhere in plain data, as it is or encoded. */
const planted = (secret: string) =>
  fc
    .record({
      text: fc.tuple(around, around).map(([before, after]) => `${before}${secret}${after}`),
      encode: fc.constantFrom(
        (text: string): unknown => text,
        (text: string) => JSON.stringify({ text }),
        (text: string) => JSON.stringify(JSON.stringify([text])),
        (text: string) => `sent ${inAscii(JSON.stringify({ text }))} ok`,
        (text: string) => `sent ${inAscii(JSON.stringify(JSON.stringify({ text }))).replaceAll("/", "\\/")} ok`,
        (text: string) => encodeURIComponent(Buffer.from(text).toString()),
        (text: string) => ({ [text]: 1 }),
        (text: string) => new Map([[text, text]]),
        (text: string) => new Error(text),
      ),
      beside: fc.anything({ maxDepth: 2, withMap: true, withSet: true, withBigInt: true, withDate: true }),
      depth: fc.nat(4),
    })
    .map(({ text, encode, beside, depth }) => {
      let tree = encode(text);
      for (let level = 0; level < depth; level++) tree = level % 2 === 0 ? { inner: tree, beside } : [beside, tree];
      return tree;
    });

test("no live value survives anywhere", () => {
  const cases = live.chain((secret) => fc.tuple(fc.constant(secret), planted(secret)));
  fc.assert(
    fc.property(cases, ([secret, data]) => {
      const { value, redacted } = new Redaction({ ...rules, values: liveSecrets({ A_TOKEN: secret }) }).payload(data);
      const written = JSON.stringify(value);
      for (const form of [secret, inAscii(secret), inAscii(secret).replaceAll("/", "\\\\/")]) {
        expect(written).not.toContain(form);
      }
      expect(redacted).toBe(true);
    }),
    { numRuns: 400 },
  );
});

const anything = fc.anything({
  withBigInt: true,
  withBoxedValues: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSet: true,
  withSparseArray: true,
  withTypedArray: true,
  withUnicodeString: true,
});

test("anything becomes JSON of a bounded size, and never throws", () => {
  const redaction = new Redaction({ ...rules, payloadBytes: 1_024 });
  fc.assert(
    fc.property(anything, (data) => {
      expect(Buffer.byteLength(JSON.stringify(redaction.payload(data).value) ?? "")).toBeLessThanOrEqual(1_024);
    }),
    { numRuns: 400 },
  );
});

/** What no thread can be sent. */
const unsendable = fc.oneof(
  fc.func(fc.nat()),
  fc.constantFrom<unknown>(
    Symbol("s"),
    new Proxy({}, {}),
    new WeakMap(),
    Promise.resolve(),
    new URL("https://me:pw@host/"),
  ),
  anything.map((value) => new Map([[value, value]])),
  anything.map((value) => Object.defineProperty({ value }, "x", { enumerable: true, get: () => expect.fail("read") })),
  anything.map((value) => {
    const circle: Record<string, unknown> = { value };
    circle.self = circle;
    return circle;
  }),
);

test("a plain copy can be sent to another thread, and is redacted like what it was made of", () => {
  const redaction = new Redaction({ ...rules, values: ["hunter2"] });
  const data = fc.oneof(anything, fc.array(unsendable), fc.dictionary(fc.string(), unsendable), planted("hunter2"));
  fc.assert(
    fc.property(data, (given) => {
      const copy = plainCopy(given);
      expect(redaction.payload(deserialize(serialize(copy)))).toEqual(redaction.payload(given));
    }),
    { numRuns: 1_000 },
  );
});

test("a plain copy of something deep is deep enough for redaction to say what it cut", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 10_000; level++) deep = { deep };
  const redaction = new Redaction(rules);
  expect(redaction.payload(deserialize(serialize(plainCopy(deep))))).toEqual(redaction.payload(deep));
  expect(redaction.payload(plainCopy(deep)).cut).toBe(true);
});

const pieces = fc.constantFrom(
  ...["token", "password", "Cookie", "--api-key", "Bearer ", "abc123", "customer", "PRJ-1", "[redacted]", "hunter2"],
  ...["pass", "name", "value", "<token>", "</token>", "\\/", "\\u0068unter2", "-----BEGIN PRIVATE KEY-----"],
  ...["=", ":", ": ", " ", '"', "'", "\\", "\n", "  ", "{", "}", "[", "]", ",", "://", "@", "-", "|", "…", "null", "7"],
);
const snippet = fc.array(pieces, { maxLength: 14 }).map((parts) => parts.join(""));

test("redacting again changes nothing", () => {
  const redaction = new Redaction({ ...rules, values: ["hunter2"], payloadBytes: 64 * 1024 });
  const json = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 3 },
      snippet,
      fc.integer(),
      fc.dictionary(snippet, tie("tree"), { maxKeys: 3 }),
      fc.array(tie("tree"), { maxLength: 3 }),
    ),
  })).tree;
  fc.assert(
    fc.property(
      fc.oneof(
        json,
        snippet.map((text) => JSON.stringify({ text })),
      ),
      (data) => {
        const once = redaction.payload(data).value;
        expect(redaction.payload(once)).toEqual({ value: once, redacted: false, cut: false });
      },
    ),
    { numRuns: 1_000, examples: [[JSON.stringify({ text: "\nCookie: \n]" })]] },
  );
});

test("what is neither secret nor long stays as it is", () => {
  const redaction = new Redaction({ ...rules, payloadBytes: 64 * 1024 });
  const word = fc.constantFrom(
    "src/app.ts",
    "a person",
    "42",
    "the token",
    "",
    "ü",
    "😀",
    "x = y",
    "a:b",
    "0b1f7c2e-9d3a-4c55",
  );
  const tree = fc.dictionary(
    fc.constantFrom("path", "name", "items", "max_tokens"),
    fc.oneof(word, fc.integer(), fc.array(word)),
  );
  fc.assert(
    fc.property(tree, (data) => {
      expect(redaction.payload(data)).toEqual({ value: data, redacted: false, cut: false });
    }),
  );
});
