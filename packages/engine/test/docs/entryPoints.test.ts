import { expect, test } from "vitest";
import { entryFiles, exportedNames } from "../../../../test/exportedNames.ts";
import { readText } from "../../../../test/repository.ts";

/** How many names each entry point may hand out: names that are an API, and no helpers. */
const MOST_NAMES = {
  "src/index.ts": 60,
  "src/components/index.ts": 145,
  "src/program.ts": 175,
  "src/process/index.ts": 15,
  "src/worker/index.ts": 5,
};

test("every entry point of the engine has a bound", () => {
  expect(entryFiles("packages/engine")).toEqual(Object.keys(MOST_NAMES));
});

test.each(Object.entries(MOST_NAMES))("%s hands out at most %i names, each once", (entry, most) => {
  const names = exportedNames(`packages/engine/${entry}`);
  expect(names.length).toBeGreaterThan(most / 2);
  expect(names.length).toBeLessThanOrEqual(most);
  expect(names).toEqual([...new Set(names)]);
});

test("the engine's entry point for embedders lists each name on purpose", () => {
  expect(readText("packages/engine/src/index.ts")).not.toMatch(/export (type )?\*/);
});

test("the README of the engine names every entry point", () => {
  const readme = readText("packages/engine/README.md");
  const names = ["components", "program", "process", "worker"].map((name) => `\`@hookline/engine/${name}\``);
  expect(names.filter((name) => !readme.includes(name))).toEqual([]);
});

test("what a command line builds on repeats nothing of the entry point", () => {
  const root = new Set(exportedNames("packages/engine/src/index.ts"));
  const both = exportedNames("packages/engine/src/program.ts").filter((name) => root.has(name));
  expect(both).toEqual([]);
});

test("names of every form are counted, through stars", () => {
  const names = exportedNames("packages/engine/src/components/index.ts");
  expect(names).toContain("HookRunner"); // listed
  expect(names).toContain("BeforeToolInput"); // declared in a file that is exported with a star
  expect(names).toContain("HookExecutionResult"); // under another name
});
