import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const PAGE = readFileSync(`${ROOT}docs/security.md`, "utf8");

/** `[git](../packages/…/git.test.ts) "a name"; "another"`: a link to a test file, then names of its tests. */
const NAMED = /\]\(\.\.\/([^)]+\.test\.ts)\)((?:;? "[^"\n]+")+)/g;

const named = [...PAGE.matchAll(NAMED)].flatMap(([, file = "", names = ""]) =>
  [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
);

test.each(named)("docs/security.md names a test that exists: $name", ({ file, name }) => {
  expect(readFileSync(ROOT + file, "utf8")).toContain(`"${name}"`);
});

test("every promise of docs/security.md names a test", () => {
  const rows = PAGE.split("\n").filter((line) => /^\| [A-Za-z`].*\.\s+\|/.test(line));
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter((row) => row.match(NAMED) === null)).toEqual([]);
});
