import { describe, expect, test } from "vitest";
import { MAX_LEVELS, plainFields, presentable, TOO_DEEP, wellFormed } from "../../src/events/plainJson.ts";

function nested(levels: number): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const ring: Record<string, unknown> = {};
ring.self = ring;
let shared: unknown = [];
for (let level = 0; level < 100; level += 1) shared = [shared, shared];

describe("plainFields", () => {
  test("copies what is plain, so that later changes of the original are not seen", () => {
    const given = { a: { list: [1, { b: "ü😀" }, null] }, f: undefined };
    const plain = plainFields(given);
    expect(plain).toEqual({ kind: "plain", fields: given, repaired: [] });
    given.a.list.push(2);
    expect(plain).toMatchObject({ fields: { a: { list: [1, { b: "ü😀" }, null] } } });
  });

  test("takes each field to its last level, and no further", () => {
    expect(plainFields({ z: nested(MAX_LEVELS) })).toMatchObject({ kind: "plain" });
    const why = "z is nested deeper than 200 levels";
    expect(plainFields({ a: 1, z: nested(MAX_LEVELS + 1) })).toEqual({ kind: "refused", why });
    expect(plainFields({ z: nested(100_000) })).toEqual({ kind: "refused", why });
    expect(plainFields({ z: nested(MAX_LEVELS + 1) }, ["z"])).toMatchObject({ kind: "plain", repaired: [] });
  });

  test.each<[string, unknown]>([
    ["z contains a BigInt", [1n]],
    ["z contains itself", ring],
    ["z holds more than 1000000 objects", shared],
  ])("refuses what JSON cannot express: %s", (why, z) => {
    expect(plainFields({ z })).toEqual({ kind: "refused", why });
  });

  test("calls toJSON once, and what it returns counts", () => {
    const date = new Date(0);
    expect(plainFields({ date })).toEqual({ kind: "plain", fields: { date: date.toJSON() }, repaired: ["date"] });
    expect(plainFields({ z: { toJSON: () => nested(300) } })).toMatchObject({ kind: "refused" });
  });

  test("replaces lone surrogates in values and keys, and says where", () => {
    const given = JSON.parse('{"ok":"😀","bad":{"k\\ud800":["\\udc00x"],"__proto__":1}}');
    expect(plainFields(given)).toEqual({
      kind: "plain",
      fields: JSON.parse('{"ok":"😀","bad":{"k\\ufffd":["\\ufffdx"],"__proto__":1}}'),
      repaired: ["bad"],
    });
  });
});

test("what is presentable can always be written as JSON", () => {
  const odd = {
    big: 1n,
    ring,
    deep: nested(5_000),
    bad: "\ud800",
    get no() {
      throw new Error("no");
    },
  };
  expect(JSON.stringify(presentable(odd))).toBe('"[unreadable]"');
  const { no: _getter, ...readable } = Object.getOwnPropertyDescriptors(odd);
  const shown = presentable(Object.defineProperties({}, readable));
  expect(shown).toMatchObject({ big: "1", ring: { self: "[circular]" }, bad: "\ufffd" });
  expect(JSON.stringify(shown)).toContain(TOO_DEEP);
  const fine = { a: [1] };
  expect(presentable(fine)).toBe(fine);
});

test("well-formed text leaves everything else as it is", () => {
  const deep = nested(5_000);
  const repaired = wellFormed({ deep, ring, text: "a\ud800", big: 1n });
  expect(repaired).toMatchObject({ text: "a\ufffd", big: 1n });
  expect(repaired.ring.self).toBe(ring);
  const fine = { text: "a" };
  expect(wellFormed(fine)).toBe(fine);
});

test("a Map and a Set are shown with what they hold, so that no guard is asked about an empty object", () => {
  const given = { tool_input: { env: new Map([["PATH", "."]]), names: new Set(["a"]) } };
  expect(plainFields(given)).toEqual({
    kind: "plain",
    fields: { tool_input: { env: { PATH: "." }, names: ["a"] } },
    repaired: ["tool_input"],
  });
});
