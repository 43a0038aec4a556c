import { expect, test } from "vitest";
import { importsOf, misplaced, roomsIn, undeclaredImports, wrongImports } from "../../../../test/importLaw.ts";
import { filesIn } from "../../../../test/repository.ts";

const SRC = "packages/cli/src";
const LAW = { src: SRC, rooms: roomsIn("The rooms of the program") };

test("every file of the program lives in a room that the docs name", () => {
  expect(LAW.rooms.length).toBeGreaterThan(20);
  expect(misplaced(LAW)).toEqual([]);
});

test("imports of the program point up the list of its rooms", () => {
  expect(wrongImports(LAW)).toEqual([]);
});

test("the program imports only packages that it declares", () => {
  expect(undeclaredImports("packages/cli")).toEqual([]);
});

test("the test sees imports of every form", () => {
  const all = filesIn(SRC).flatMap(importsOf);
  expect(all).toContain(`${SRC}/terminal/io.ts`);
  expect(importsOf(`${SRC}/program.ts`)).toContain(`${SRC}/state/checkedStateDir.ts`); // by import()
});
