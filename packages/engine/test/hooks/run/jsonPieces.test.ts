import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonPieces } from "../../../src/hooks/run/jsonPieces.ts";

test("pieces, put together, are what JSON.stringify writes, whatever the value", () => {
  const odd = fc.constantFrom<unknown>(undefined, () => 1, Symbol("x"), Number.NaN, new Date(0), {
    toJSON: () => undefined,
  });
  const item = fc.oneof(fc.jsonValue(), odd, fc.string({ unit: "binary" }));
  const list = fc.array(item, { minLength: 60, maxLength: 90 });
  const object = fc.dictionary(fc.string(), fc.oneof(item, list));
  const value = fc.dictionary(fc.string(), fc.oneof(item, list, object));
  fc.assert(
    fc.property(value, (fields) => {
      expect(jsonPieces(fields).join("")).toBe(JSON.stringify(fields));
    }),
  );
});

test("a short value is one piece, a long history is many", () => {
  expect(jsonPieces({ a: 1 })).toEqual(['{"a":1}']);
  const messages = Array.from({ length: 500 }, (_, i) => ({ role: "user", content: `${i}` }));
  const pieces = jsonPieces({ llm_request: { model: "x", messages } });
  expect(pieces.length).toBeGreaterThan(30);
  expect(JSON.parse(pieces.join(""))).toEqual({ llm_request: { model: "x", messages } });
});
