import { linkSync, lstatSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { draftOf } from "../../../journal/src/state/draft.ts";
import { isSignature, signature } from "../../src/state/userKey.ts";
import { Machine } from "../support/machine.ts";

test("a signature holds for one user, one purpose and one content", () => {
  const [one, other] = [new Machine(), new Machine()];
  const made = signature(one.home, "purpose", { a: 1 });
  expect(isSignature(made, signature(one.home, "purpose", { a: 1 }))).toBe(true);
  expect(isSignature(made, signature(one.home, "another", { a: 1 }))).toBe(false);
  expect(isSignature(made, signature(one.home, "purpose", { a: 2 }))).toBe(false);
  expect(isSignature(made, signature(other.home, "purpose", { a: 1 }))).toBe(false);
  expect(lstatSync(join(one.home, ".hookline/key")).mode & 0o777).toBe(0o600);
  writeFileSync(join(one.home, ".hookline/key"), "short");
  expect(() => signature(one.home, "purpose", {})).toThrow("does not contain a key");
});

test("a program that was killed while it created the key does not stop the next one", () => {
  const { home } = new Machine();
  const made = signature(home, "purpose", {});
  const key = join(home, ".hookline/key");
  linkSync(key, draftOf(key));
  expect(isSignature(made, signature(home, "purpose", {}))).toBe(true);
  expect(readdirSync(join(home, ".hookline")).filter((name) => name.startsWith("key"))).toEqual(["key"]);
  linkSync(key, join(home, "elsewhere"));
  expect(() => signature(home, "purpose", {})).toThrow("another hard link elsewhere");
});
