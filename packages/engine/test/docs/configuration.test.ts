import { expect, test } from "vitest";
import { ROOT, readText, tableRows } from "../../../../test/repository.ts";
import { HOOK_FIELDS } from "../../src/config/hooks/hookFields.ts";
import { OPTION_SPECS } from "../../src/config/layers/optionSpecs.ts";
import { DEFAULT_OPTIONS } from "../../src/config/values/options.ts";
import * as engine from "../../src/index.ts";
import * as parts from "../../src/program.ts";

interface Generator {
  readonly CONFIGURATION: string;
  readonly configurationPage: (page: string, settings: object) => string;
}

const { CONFIGURATION, configurationPage }: Generator = await import(`${ROOT}scripts/configurationPage.mjs`);
const { abilitySchema } = await import(`${ROOT}packages/cli/src/declarations/abilities/abilityFields.ts`);
const { DECLARATION_KINDS } = await import(`${ROOT}packages/cli/src/declarations/index.ts`);
const settings = { ...engine, ...parts, abilitySchema, DECLARATION_KINDS, DEFAULT_OPTIONS, HOOK_FIELDS, OPTION_SPECS };
const page = readText(CONFIGURATION);

test("the tables of the page are what the schemas say; else run `npm run docs`", () => {
  expect(configurationPage(page, settings)).toBe(page);
});

test("a page that has no place for a table, or one for an unknown table, is refused", () => {
  const without = page.replace("<!-- table: handler -->", "");
  expect(() => configurationPage(without, settings)).toThrow("has no place for the tables handler");
  const more = `${page}<!-- table: colours -->\n<!-- end -->\n`;
  expect(() => configurationPage(more, settings)).toThrow('wants a table "colours", which nothing makes');
});

test("the page says of each key that only user and system files may set it", () => {
  const guarded = Object.keys(OPTION_SPECS).filter((key) => OPTION_SPECS[key]?.guarded);
  const shown = tableRows(page).filter((row) => row.includes("user and system"));
  const keys = shown.map(([key = ""]) => key.replaceAll("`", "").split(".")[0]);
  expect([...new Set(keys)]).toEqual(guarded);
});

test("the values that the page gives for absent keys are those that hold", () => {
  const defaultOf = (key: string) => tableRows(page).find(([name]) => name === `\`${key}\``)?.[2];
  expect(defaultOf("onError")).toBe(`\`${HOOK_FIELDS.onError.absent}\``);
  expect(defaultOf("maxParallel")).toBe(`\`${DEFAULT_OPTIONS.maxParallel}\``);
  for (const [key, ms] of [
    ["killGrace", DEFAULT_OPTIONS.killGraceMs],
    ["workerIdle", DEFAULT_OPTIONS.workerIdleMs],
  ] as const) {
    expect(parts.readDuration(JSON.parse(defaultOf(key)?.replaceAll("`", "") ?? ""))).toEqual({ ms });
  }
});
