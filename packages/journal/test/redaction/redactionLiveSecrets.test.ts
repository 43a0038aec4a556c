import { expect, test } from "vitest";
import { liveSecrets } from "../../src/redaction/liveSecrets.ts";
import { Redaction } from "../../src/redaction/redaction.ts";

const redacted = (env: NodeJS.ProcessEnv, text: string) =>
  new Redaction({ keys: [], patterns: [], values: liveSecrets(env), payloadBytes: 4_096 }).text(text).value;

test("only what hooks do not get is a secret, if it is long enough and no plain word", () => {
  const env = { HOME: "/home/me", MY_TOKEN: "hunter2", A_TOKEN: "true", B_TOKEN: "short", AWS_REGION: "eu-central-1" };
  expect(liveSecrets(env)).toContain("hunter2");
  for (const other of ["/home/me", "true", "short", "eu-central-1", ""]) expect(liveSecrets(env)).not.toContain(other);
});

test("the longest come first, and each once", () => {
  const values = liveSecrets({ A_TOKEN: "hunter2", B_TOKEN: "hunter2", C_TOKEN: "hunter2-and-more" });
  expect(values).toEqual([...new Set(values)]);
  expect(values.map((value) => value.length)).toEqual(values.map((value) => value.length).toSorted((a, b) => b - a));
});

test("of several lines, the long ones are secrets by themselves; the frame of a key is not", () => {
  const env = { DEPLOY_KEY: "-----BEGIN X KEY-----\nhunter2hunter2hunter2\nshort\n-----END X KEY-----\n" };
  expect(redacted(env, "a hunter2hunter2hunter2 b short -----BEGIN X KEY-----")).toBe(
    "a [redacted] b short -----BEGIN X KEY-----",
  );
});

test("the password in an address is a secret by itself, as it is written and as it is meant", () => {
  const env = { DATABASE_URL: "postgres://me:hunt%40er2@db/x" };
  expect(redacted(env, "hunt%40er2 hunt@er2 db me")).toBe("[redacted] [redacted] db me");
});

const VALUE = 'h<nter/2+"\\ü & 7';
const slashed = (json: string) => json.replaceAll("/", "\\/");
const ascii = (json: string) =>
  json.replaceAll(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
/** As .NET escapes it. */
const careful = (text: string) =>
  text.replaceAll(/[^ -~]|["&'+<>\\]/g, (char) =>
    char === "\\" ? "\\\\" : `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`,
  );

test.each([
  ["as it is", VALUE],
  ["in JSON", JSON.stringify({ a: `is ${VALUE}` })],
  ["in JSON in JSON", JSON.stringify(JSON.stringify({ a: VALUE }))],
  ["in JSON three times", JSON.stringify(JSON.stringify(JSON.stringify([VALUE])))],
  ["in JSON that is safe in HTML", JSON.stringify(VALUE).replaceAll("<", "\\u003c").replaceAll("&", "\\u0026")],
  ["in JSON that is broken", `${JSON.stringify({ a: VALUE }).slice(0, -1)} …`],
  ["in an address", `?q=${encodeURIComponent(VALUE)}`],
  ["in an address in lower case", `?q=${encodeURIComponent(VALUE).replaceAll(/%../g, (code) => code.toLowerCase())}`],
  ["in a form", `q=${encodeURIComponent(VALUE).replaceAll("%20", "+")}`],
  ["in base64", Buffer.from(VALUE).toString("base64")],
  ["in base64 with a line feed", Buffer.from(`${VALUE}\n`).toString("base64")],
  ["in base64 for addresses", Buffer.from(VALUE).toString("base64url")],
  ["in base64 after one character", Buffer.from(`:${VALUE}`).toString("base64")],
  ["in base64 after a user", Buffer.from(`me:${VALUE}`).toString("base64")],
  ["in a line of a log as PHP writes JSON", `sent ${ascii(slashed(JSON.stringify({ a: VALUE })))} ok`],
  ["in a line of a log as Python writes JSON", `sent ${ascii(JSON.stringify({ a: VALUE }))} ok`],
  ["in a line of a log as .NET writes JSON", `sent {"a":"${careful(VALUE)}"} ok`],
  ["in lines of JSON", `${ascii(JSON.stringify({ a: VALUE }))}\n{"b":1}\n`],
  ["in JSON in JSON of others", `sent ${slashed(JSON.stringify(slashed(ascii(JSON.stringify({ a: VALUE })))))} ok`],
  ["in base64 between others", Buffer.from(`{"auth":"user:${VALUE}","more":1}`).toString("base64")],
])("a secret is found %s", (_, text) => {
  const shown = redacted({ MY_TOKEN: VALUE }, text);
  expect(shown).toContain("[redacted]");
  for (const form of ["nter", "nter".toUpperCase()]) expect(shown).not.toContain(form);
  const left = Buffer.from(shown.replaceAll("[redacted]", ""), "base64").toString("latin1");
  expect(left).not.toContain("nter");
});

const PHRASE = "a passphrase of so many plain words that it takes several lines";
const encoded = Buffer.from(`x: ${PHRASE}: y`).toString("base64");
const wrapped = (columns: number, end: string) => encoded.replaceAll(new RegExp(`.{${columns}}`, "g"), `$&${end}`);

test.each([
  ["as `base64` does", wrapped(76, "\n"), "eDog[redacted]OiB5"],
  ["as openssl does", wrapped(64, "\r\n"), "eDog[redacted]OiB5"],
  ["as YAML has it", `a: |\n  ${wrapped(76, "\n  ")}\nb: 1`, "a: |\n  eDog[redacted]OiB5\nb: 1"],
  ["in JSON", `sent {"a":"${wrapped(76, "\\n")}"} ok`, 'sent {"a":"eDog[redacted]OiB5"} ok'],
])("a secret is found in base64 of several lines, %s", (_, text, shown) => {
  expect(redacted({ MY_PASSPHRASE: PHRASE }, text)).toBe(shown);
});

test("what stands around a value that is escaped otherwise stays as it is", () => {
  const env = { A_TOKEN: "grün/und/blau", B_TOKEN: "hunter2" };
  const text = String.raw`C:\users\new "\u001b[31m" {"a":"gr\u00fcn\/und\/blau","b":"\/x","c":"hunter2","d":"\u0068unter2"} \/`;
  expect(redacted(env, text)).toBe(
    String.raw`C:\users\new "\u001b[31m" {"a":"[redacted]","b":"\/x","c":"[redacted]","d":"[redacted]"} \/`,
  );
});

test("half a character is encoded as what it becomes", () => {
  expect(() => liveSecrets({ MY_TOKEN: "hunter\ud800-2" })).not.toThrow();
});
