import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../../../test/repository.ts";
import * as components from "../../src/components/index.ts";

const BASES = ["packages/engine/src/hooks", "packages/engine", "."];
const PAGE = readText("docs/seeds.md");
const quoted = [...PAGE.matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);

test("every file and folder that the page names exists", () => {
  const isPath = (text: string) => /^[\w./-]+$/.test(text) && (text.endsWith(".ts") || text.includes("/"));
  const paths = quoted.filter((text) => isPath(text) && !text.startsWith("."));
  const above = quoted.filter((text) => text.startsWith("../"));
  const missing = [...paths, ...above].filter((path) => !BASES.some((base) => existsSync(join(ROOT, base, path))));
  expect(missing).toEqual([]);
  expect(paths.length).toBeGreaterThan(30);
});

test("every class that the page names is exported", () => {
  const classes = quoted.filter((text) => /^Hook(System|Registry|Planner|Runner|Aggregator|EventHandler)$/.test(text));
  expect(classes.filter((name) => !(name in components))).toEqual([]);
  expect(new Set(classes).size).toBeGreaterThan(4);
});
