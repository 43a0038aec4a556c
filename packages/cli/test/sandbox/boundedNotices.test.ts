import { expect, test } from "vitest";
import { BoundedNotices } from "../../src/sandbox/boundedNotices.ts";

test("the first five are told, each once, and then how many more there are", () => {
  const told: string[] = [];
  const notices = new BoundedNotices((notice) => told.push(notice));
  for (const notice of ["a", "b\n", "a", "c", "d", "e", "f", "g", "f"]) notices.add(notice);
  notices.end();
  expect(told).toEqual(["a", "b\\n", "c", "d", "e", "and 2 more; --json lists all of them"]);
  expect(notices.all).toEqual(["a", "b\n", "c", "d", "e", "f", "g"]);
});

test("five are told, and no more", () => {
  const told: string[] = [];
  const notices = new BoundedNotices((notice) => told.push(notice));
  for (const notice of "abcde") notices.add(notice);
  notices.end();
  expect(told).toHaveLength(5);
});
