import { expect, test } from "vitest";
import {
  cyclesIn,
  misplaced,
  roomsIn,
  startersIn,
  undeclaredImports,
  wrongImports,
} from "../../../../test/importLaw.ts";

const SRC = "packages/engine/src";
const LAW = { src: SRC, rooms: roomsIn("The rooms of the engine") };

test("every file of the engine lives in a room that the docs name", () => {
  expect(LAW.rooms.length).toBeGreaterThan(10);
  expect(misplaced(LAW)).toEqual([]);
});

test("imports of the engine point up the list of its rooms", () => {
  expect(wrongImports(LAW)).toEqual([]);
});

test("the engine imports only packages that it declares", () => {
  expect(undeclaredImports("packages/engine")).toEqual([]);
});

test("only spawnGroup starts processes", () => {
  expect(startersIn(SRC)).toEqual([`${SRC}/process/spawnGroup.ts`]);
});

test("no files of the engine import each other in a circle when they are loaded", () => {
  expect(cyclesIn(SRC)).toEqual([]);
});
