import { expect, test } from "vitest";
import { misplaced, undeclaredImports, wrongImports } from "../../../../test/importLaw.ts";
import { filesIn, readText } from "../../../../test/repository.ts";

const LAYERS = [
  "errors",
  "events",
  "process",
  "secrets",
  "config/values",
  "dialects",
  "config/hooks",
  "config/layers",
  "config/trust",
  "hooks",
  "bus",
  "components",
  "worker",
  "program",
  "index",
];
const SRC = "packages/engine/src";
const LAW = { src: SRC, rooms: LAYERS };

test("imports of the engine point up its list of layers", () => {
  expect(misplaced(LAW)).toEqual([]);
  expect(wrongImports(LAW)).toEqual([]);
});

test("the engine imports only packages that it declares", () => {
  expect(undeclaredImports("packages/engine")).toEqual([]);
});

test("only spawnGroup starts processes", () => {
  const starters = filesIn(SRC).filter((file) => readText(file).includes("node:child_process"));
  expect(starters).toEqual([`${SRC}/process/spawnGroup.ts`]);
});
