import fc from "fast-check";
import { expect, test } from "vitest";
import { EVENTS } from "../../src/events/catalog.ts";
import type { EventSpec } from "../../src/events/eventSpec.ts";
import { quickCheck } from "../../src/events/quickCheck.ts";

const rows: [string, EventSpec][] = Object.entries(EVENTS);

/** A plausible input with some of its values, however deep, replaced by others. */
function mutated(sample: unknown): fc.Arbitrary<unknown> {
  const rubbish = fc.oneof(
    fc.string(),
    fc.constantFrom<unknown>(undefined, null, true, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, "user", "AUTO"),
    fc.object({ maxDepth: 1 }),
    fc.array(fc.string(), { maxLength: 2 }),
    fc.constant(new Map()),
  );
  const kept = isRecord(sample)
    ? fc.record(Object.fromEntries(Object.entries(sample).map(([key, value]) => [key, mutated(value)])))
    : Array.isArray(sample)
      ? fc.tuple(...sample.map(mutated))
      : fc.constant(sample);
  return fc.oneof({ weight: 12, arbitrary: kept }, { weight: 1, arbitrary: rubbish });
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

test.each(rows)("what the quick check of %s accepts, the schema accepts and leaves as it is", (_name, spec) => {
  const accepts = quickCheck(spec.input);
  const keys = Object.keys(spec.input.shape);
  const sample = { ...Object.fromEntries(keys.map((key) => [key, undefined])), ...spec.sample };
  fc.assert(
    fc.property(mutated(sample), (fields) => {
      if (!isRecord(fields) || !accepts(fields)) return;
      const known = Object.fromEntries(Object.entries(fields).filter(([key]) => keys.includes(key)));
      expect(withoutProto(spec.input.parse(fields))).toEqual(withoutProto(known));
    }),
    { numRuns: 1_000 },
  );
});

/** In some objects the schema library drops a key of this name. The quick check leaves it, so that hooks see what the tool sees. */
function withoutProto(value: unknown): unknown {
  if (!isRecord(value) || value instanceof Map) return value;
  const kept = Object.entries(value).filter(([key]) => key !== "__proto__");
  return Object.fromEntries(kept.map(([key, field]) => [key, withoutProto(field)]));
}

test("a key named __proto__ is accepted, and stays as it is", () => {
  const response = JSON.parse('{"llmContent":"x","returnDisplay":"x","__proto__":{"a":1}}');
  const fields = { ...EVENTS.AfterTool.sample, tool_response: response };
  expect(quickCheck(EVENTS.AfterTool.input)(fields)).toBe(true);
  expect(JSON.stringify(fields)).toContain('"__proto__":{"a":1}');
  expect(JSON.stringify(EVENTS.AfterTool.input.parse(fields))).not.toContain("__proto__");
});

test.each(rows)("the quick check of %s knows its own sample", (_name, spec) => {
  expect(quickCheck(spec.input)(spec.sample)).toBe(true);
});

test("it accepts the tool calls an agent makes, and leaves the others to the schema", () => {
  const accepts = quickCheck(EVENTS.BeforeTool.input);
  const call = { tool_name: "glob", tool_input: { pattern: "*" }, tool_call_id: "1" };
  expect(accepts(call)).toBe(true);
  expect(accepts({ ...call, extra: 1 })).toBe(true);
  for (const other of [{ tool_call_id: undefined }, { tool_input: [] }, { tool_name: "" }, { mcp_context: {} }]) {
    expect(accepts({ ...call, ...other })).toBe(false);
  }
});
