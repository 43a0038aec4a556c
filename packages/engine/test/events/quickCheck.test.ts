import fc from "fast-check";
import { expect, test } from "vitest";
import { EVENTS } from "../../src/events/catalog.ts";
import type { EventSpec } from "../../src/events/eventSpec.ts";
import { quickCheck } from "../../src/events/quickCheck.ts";

const rows: [string, EventSpec][] = Object.entries(EVENTS);

test.each(rows)("what the quick check of %s accepts, the schema accepts and leaves as it is", (_name, spec) => {
  const accepts = quickCheck(spec.input);
  const value = fc.oneof(
    fc.string(),
    fc.constant(undefined),
    fc.constant(null),
    fc.integer(),
    fc.object(),
    fc.array(fc.string()),
  );
  const input = fc.record(Object.fromEntries(Object.keys(spec.input.shape).map((key) => [key, value])), {
    requiredKeys: [],
  });
  fc.assert(
    fc.property(input, (fields) => {
      if (!accepts(fields)) return;
      const known = Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined));
      expect(spec.input.parse(fields)).toEqual(known);
    }),
    { numRuns: 300 },
  );
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
