import { expect, test } from "vitest";
import {
  cyclesIn,
  importsOf,
  misplaced,
  roomsIn,
  startersIn,
  undeclaredImports,
  wrongImports,
} from "../../../../test/importLaw.ts";
import { filesIn } from "../../../../test/repository.ts";

const SRC = "packages/cli/src";
const LAW = { src: SRC, rooms: roomsIn("The rooms of the program") };

/** Everything else is started through `@hookline/engine/process`, which bounds it and ends its whole group. */
const STARTERS: Readonly<Record<string, string>> = {
  "daemon/askerSession.ts": "gives a connection as standard input; the engine only gives text",
  "daemon/startDaemon.ts": "the daemon must outlive the command that starts it; the engine ends what it starts",
  "hosts/clients/curl.ts": "asks `curl --version` from a row's function, which cannot wait",
  "terminal/processes.ts": "asks `ps` where there is no /proc, for callers that cannot wait",
};

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

test("a file of the program that starts processes by itself is listed with its reason", () => {
  expect(startersIn(SRC)).toEqual(Object.keys(STARTERS).map((file) => `${SRC}/${file}`));
});

test("the test sees imports of every form", () => {
  const all = filesIn(SRC).flatMap(importsOf);
  expect(all).toContain(`${SRC}/terminal/io.ts`);
  expect(importsOf(`${SRC}/program.ts`)).toContain(`${SRC}/state/checkedStateDir.ts`); // by import()
});

test("no files of the program import each other in a circle when they are loaded", () => {
  expect(cyclesIn(SRC)).toEqual([]);
});
