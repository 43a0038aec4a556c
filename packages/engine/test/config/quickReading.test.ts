import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { HOOK_FIELDS } from "../../src/config/hooks/hookFields.ts";
import { OPTION_SPECS } from "../../src/config/layers/optionSpecs.ts";
import { HANDLERS } from "../../src/hooks/handlers/index.ts";

/** Settings are read without schemas, and described to editors by them: both must take the same values. */
const values = fc.oneof(
  fc.anything(),
  fc.constantFrom(
    "allow",
    "block",
    "enforce",
    "observe",
    "run",
    "skip",
    true,
    false,
    "true",
    0,
    1,
    3,
    4,
    256,
    257,
    1.5,
  ),
  fc.constantFrom(
    "",
    " ",
    "\0",
    "a\0b",
    "true",
    "x".repeat(128 * 1024 - 1),
    "x".repeat(128 * 1024),
    "é".repeat(70_000),
  ),
  fc.constantFrom(["A"], [""], [1], [], { allowHosts: ["a"] }),
  fc.string(),
  fc.integer(),
);

describe.each(Object.entries(HOOK_FIELDS))("the field %s", (_, field) => {
  test("is read as its schema says", () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(field.read(value)).toEqual(field.schema().safeParse(value).data);
      }),
    );
  });
});

describe.each(HANDLERS.map(({ kind }) => [kind.type, kind.fields] as const))("a hook of kind %s", (_, fields) => {
  test("has the fields of its schema", () => {
    expect(fields.names).toEqual(Object.keys(fields.schema().shape));
  });

  test("is never taken with values that its schema refuses", () => {
    const given = fc.record(Object.fromEntries(fields.names.map((name) => [name, values])), { requiredKeys: [] });
    fc.assert(
      fc.property(given, (one) => {
        if (fields.areFine(one)) expect(fields.schema().safeParse(one)).toEqual({ success: true, data: one });
      }),
    );
  });
});

test.each(["maxParallel", "passEnv"])("hooksConfig.%s is read as its schema says", (key) => {
  const { read, schema } = OPTION_SPECS[key] ?? expect.unreachable(key);
  const node = { kind: "scalar", value: null, place: { file: "settings.json" } } as const;
  fc.assert(
    fc.property(values, (value) => {
      const parsed = schema().safeParse(value);
      const reading = read(value, node, () => {});
      expect("set" in reading ? reading.set : undefined).toEqual(parsed.success ? { [key]: parsed.data } : undefined);
    }),
  );
});
