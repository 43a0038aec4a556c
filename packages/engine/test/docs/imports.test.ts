import { posix } from "node:path";
import { expect, test } from "vitest";
import { filesIn, readText } from "./repository.ts";

/** Each may import itself and what stands before it. */
const LAYERS = [
  "errors",
  "events",
  "process",
  "secrets",
  "config/values",
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

const layerOf = (path: string) => {
  const inside = posix.relative(SRC, path);
  return LAYERS.findIndex((layer) => inside === `${layer}.ts` || inside.startsWith(`${layer}/`));
};

test("imports of the engine point up its list of layers", () => {
  const wrong = filesIn(SRC).flatMap((file) => {
    expect(layerOf(file), file).toBeGreaterThanOrEqual(0);
    return [...readText(file).matchAll(/from "(\.[^"]+)"/g)]
      .map(([, to = ""]) => posix.join(posix.dirname(file), to))
      .filter((to) => layerOf(to) > layerOf(file))
      .map((to) => `${file} imports ${to}`);
  });
  expect(wrong).toEqual([]);
});

test("only process/ starts processes", () => {
  const starters = filesIn(SRC).filter((file) => readText(file).includes("node:child_process"));
  expect(starters.every((file) => file.startsWith(`${SRC}/process/`))).toBe(true);
  expect(starters.length).toBeGreaterThan(0);
});
