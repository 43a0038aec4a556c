import { posix } from "node:path";
import { expect, test } from "vitest";
import { filesIn, readText } from "./repository.ts";

const SRC = "packages/cli/src";

/** The folders and top files of the program, in the order of the table in docs/how-it-works.md. Each may import itself and what stands before it. */
const ROOMS = [...roomsSection().matchAll(/^\| `(\w+)(?:\/|\.ts)` /gm)].map(([, room]) => room);

function roomsSection(): string {
  const [, section = ""] = /^## The rooms of the program$(.*?)^## /ms.exec(readText("docs/how-it-works.md")) ?? [];
  return section;
}

const roomOf = (path: string) => ROOMS.indexOf(posix.relative(SRC, path).split(/[/.]/)[0]);

/** Static imports, exports of other modules, and `import()`. */
function importsOf(file: string): readonly string[] {
  const found = readText(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, to = ""]) => posix.join(posix.dirname(file), to));
}

test("every file of the program lives in a room that the docs name", () => {
  expect(ROOMS.length).toBeGreaterThan(20);
  expect(filesIn(SRC).filter((file) => roomOf(file) < 0)).toEqual([]);
  const rooms = new Set(filesIn(SRC).map((file) => ROOMS[roomOf(file)]));
  expect(ROOMS.filter((room) => !rooms.has(room))).toEqual([]);
});

test("imports of the program point up the list of its rooms", () => {
  const wrong = filesIn(SRC).flatMap((file) =>
    importsOf(file)
      .filter((to) => roomOf(to) > roomOf(file))
      .map((to) => `${file} imports ${to}`),
  );
  expect(wrong).toEqual([]);
});

test("the test sees imports of every form", () => {
  const all = filesIn(SRC).flatMap(importsOf);
  expect(all).toContain(`${SRC}/terminal/io.ts`);
  expect(importsOf(`${SRC}/program.ts`)).toContain(`${SRC}/state/checkedStateDir.ts`); // by import()
});
