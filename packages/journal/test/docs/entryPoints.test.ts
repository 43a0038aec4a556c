import { expect, test } from "vitest";
import { exportedNames } from "../../../../test/exportedNames.ts";
import { readText } from "../../../../test/repository.ts";

const [ROOT_ENTRY, PROGRAM_ENTRY] = ["packages/journal/src/index.ts", "packages/journal/src/program.ts"];

test("the journal's entry point is short: names that an embedder calls, each of them on purpose", () => {
  const names = exportedNames(ROOT_ENTRY);
  expect(readText(ROOT_ENTRY)).not.toMatch(/export (type )?\*/);
  expect(names.length).toBeGreaterThan(20);
  expect(names.length).toBeLessThanOrEqual(40);
  expect(new Set(names).size).toBe(names.length);
});

test("what the command line builds on repeats nothing of the journal's entry point", () => {
  const root = new Set(exportedNames(ROOT_ENTRY));
  expect(exportedNames(PROGRAM_ENTRY).filter((name) => root.has(name))).toEqual([]);
});

test("the page for embedders names every function of the journal's entry point", () => {
  const page = readText("docs/embedding.md");
  const functions = exportedNames(ROOT_ENTRY).filter((name) => /^[a-z]/.test(name));
  expect(functions.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});
