import { expect, test } from "vitest";
import { filesIn, ROOT, readText } from "../../../../test/repository.ts";
import * as engine from "../../src/index.ts";
import * as parts from "../../src/program.ts";

interface Reference {
  readonly reference: (from: unknown) => Readonly<Record<string, string>>;
}

/** The engine, with the kinds and schemas that the program brings. */
async function sources(): Promise<unknown> {
  const program = `${ROOT}packages/cli/src`;
  const { hooktestSchema } = await import(`${program}/hooktest/hooktestSchema.ts`);
  const { abilitySchema } = await import(`${program}/declarations/abilities/abilityFields.ts`);
  const { DECLARATION_KINDS } = await import(`${program}/declarations/index.ts`);
  return { ...engine, ...parts, abilitySchema, DECLARATION_KINDS, hooktestSchema };
}

test("the generated files are what the catalog says; else run `npm run docs`", async () => {
  const { reference }: Reference = await import(`${ROOT}scripts/reference.mjs`);
  const generated = reference(await sources());
  const committed = Object.keys(generated).map((path) => [path, readText(path)]);
  expect(Object.fromEntries(committed)).toEqual(generated);
  expect(reference(await sources())).toEqual(generated);
});

test("no schema is left of something that is gone", async () => {
  const { reference }: Reference = await import(`${ROOT}scripts/reference.mjs`);
  const schemas = Object.keys(reference(await sources())).filter((path) => path.startsWith("schemas/"));
  expect(filesIn("schemas")).toEqual(schemas.toSorted());
});
