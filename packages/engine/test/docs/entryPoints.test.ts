import { expect, test } from "vitest";
import { readText } from "../../../../test/repository.ts";

/** The names that a file of re-exports hands out. */
function exportedNames(file: string): readonly string[] {
  return [...readText(file).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) =>
    names
      .split(",")
      .map((name) => name.trim().replace(/^type /, ""))
      .filter((name) => name !== ""),
  );
}

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
