import { expect, test } from "vitest";
import * as engine from "../../src/index.ts";
import { filesIn, ROOT, readText } from "./repository.ts";

interface Reference {
  readonly reference: (from: typeof engine) => Readonly<Record<string, string>>;
}

test("the generated files are what the catalog says; else run `npm run docs`", async () => {
  const { reference }: Reference = await import(`${ROOT}scripts/reference.mjs`);
  const generated = reference(engine);
  const committed = Object.keys(generated).map((path) => [path, readText(path)]);
  expect(Object.fromEntries(committed)).toEqual(generated);
  expect(reference(engine)).toEqual(generated);
});

test("no schema is left of something that is gone", async () => {
  const { reference }: Reference = await import(`${ROOT}scripts/reference.mjs`);
  const schemas = Object.keys(reference(engine)).filter((path) => path.startsWith("schemas/"));
  expect(filesIn("schemas")).toEqual(schemas.toSorted());
});
