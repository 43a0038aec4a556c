import { expect, test } from "vitest";
import {
  cyclesIn,
  misplaced,
  roomsIn,
  startersIn,
  undeclaredImports,
  wrongImports,
} from "../../../../test/importLaw.ts";

const LAW = { src: "packages/journal/src", rooms: roomsIn("The rooms of the journal") };

test("every file of the journal lives in a room that the docs name", () => {
  expect(LAW.rooms.length).toBeGreaterThan(10);
  expect(misplaced(LAW)).toEqual([]);
});

test("imports of the journal point up the list of its rooms", () => {
  expect(wrongImports(LAW)).toEqual([]);
});

test("the journal imports only packages that it declares", () => {
  expect(undeclaredImports("packages/journal")).toEqual([]);
});

test("the journal starts no processes", () => {
  expect(startersIn(LAW.src)).toEqual([]);
});

test("no files of the journal import each other in a circle when they are loaded", () => {
  expect(cyclesIn(LAW.src)).toEqual([]);
});
