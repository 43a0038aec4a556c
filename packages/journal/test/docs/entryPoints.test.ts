import { expect, test } from "vitest";
import { entryFiles, exportedNames } from "../../../../test/exportedNames.ts";
import { readText } from "../../../../test/repository.ts";

const [ROOT_ENTRY, PROGRAM_ENTRY] = ["packages/journal/src/index.ts", "packages/journal/src/program.ts"];

/** How many names each entry point may hand out: names that are an API, and no helpers. */
const MOST_NAMES = { "src/index.ts": 40, "src/program.ts": 70 };

test("every entry point of the journal has a bound", () => {
  expect(entryFiles("packages/journal")).toEqual(Object.keys(MOST_NAMES));
});

test.each(Object.entries(MOST_NAMES))("%s hands out at most %i names, each once", (entry, most) => {
  const names = exportedNames(`packages/journal/${entry}`);
  expect(names.length).toBeGreaterThan(most / 2);
  expect(names.length).toBeLessThanOrEqual(most);
  expect(names).toEqual([...new Set(names)]);
});

test("both entry points of the journal list each name on purpose", () => {
  expect([ROOT_ENTRY, PROGRAM_ENTRY].filter((entry) => /export (type )?\*/.test(readText(entry)))).toEqual([]);
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
