import { expect, test } from "vitest";
import { exportedNames } from "../../../../test/exportedNames.ts";
import { readText } from "../../../../test/repository.ts";

test("the engine's entry point is short: names that an embedder calls, each of them on purpose", () => {
  const text = readText("packages/engine/src/index.ts");
  const names = exportedNames("packages/engine/src/index.ts");
  expect(text).not.toMatch(/export (type )?\*/);
  expect(names.length).toBeGreaterThan(40);
  expect(names.length).toBeLessThanOrEqual(60);
  expect(new Set(names).size).toBe(names.length);
});

test("what a command line builds on repeats nothing of the entry point", () => {
  const root = new Set(exportedNames("packages/engine/src/index.ts"));
  const both = exportedNames("packages/engine/src/program.ts").filter((name) => root.has(name));
  expect(both).toEqual([]);
});
