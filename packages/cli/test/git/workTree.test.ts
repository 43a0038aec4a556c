import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findWorkTree } from "../../src/git/workTree.ts";

function folders(...paths: readonly string[]): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-tree-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const path of paths) mkdirSync(join(dir, path), { recursive: true });
  return dir;
}

const BARE = ["HEAD", "objects", "refs"];

test("the nearest folder with .git is the top", () => {
  const dir = folders("a/.git", "a/b/c", "a/inner/.git");
  expect(findWorkTree(join(dir, "a/b/c"))).toBe(join(dir, "a"));
  expect(findWorkTree(join(dir, "a/inner"))).toBe(join(dir, "a/inner"));
});

test("a bare repository among the files of a work tree is refused, also from below it", () => {
  const dir = folders("a/.git", ...BARE.map((name) => `a/sub/${name}`), "a/sub/deep/er");
  expect(findWorkTree(join(dir, "a/sub"))).toBeUndefined();
  expect(findWorkTree(join(dir, "a/sub/deep/er"))).toBeUndefined();
});

test("a work tree whose files look like a bare repository is the work tree that its .git says", () => {
  const dir = folders("a/.git", ...BARE.map((name) => `a/${name}`));
  expect(findWorkTree(join(dir, "a"))).toBe(join(dir, "a"));
});

test("a folder that is gone is in no work tree", () => {
  expect(findWorkTree(join(folders("a"), "gone"))).toBeUndefined();
});
