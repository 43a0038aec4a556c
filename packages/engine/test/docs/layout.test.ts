import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readText } from "../../../../test/repository.ts";

/** What a build or a test leaves behind. */
const MADE = ["node_modules", "coverage"];

test("the table of folders in how-it-works.md has a row for each folder of the repository", () => {
  const [, section = ""] = /^## The rooms around the program$(.*?)^## /ms.exec(readText("docs/how-it-works.md")) ?? [];
  const rows = [...section.matchAll(/^\| `([\w/]+)` /gm)].map(([, folder]) => folder);
  const folders = foldersIn("").flatMap((name) =>
    name === "packages" ? foldersIn(name).map((inner) => `packages/${inner}`) : [name],
  );
  expect(rows.toSorted()).toEqual(folders.toSorted());
});

function foldersIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !MADE.includes(entry.name))
    .map(({ name }) => name);
}
