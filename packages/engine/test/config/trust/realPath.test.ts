import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { KnownPaths, linkFreePath, realPathOf } from "../../../src/config/trust/realPath.ts";
import { temporaryFolder } from "../../support/system.ts";

/** A tree with links of every kind; what each path leads to, from the root. */
function tree(): string {
  const root = realpathSync(temporaryFolder());
  for (const folder of ["a/b", "c"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "a/b/file"), "");
  symlinkSync("a/b", join(root, "relative"));
  symlinkSync(join(root, "a"), join(root, "c/absolute"));
  symlinkSync("../relative/file", join(root, "c/chain"));
  symlinkSync("a/missing", join(root, "dangling"));
  symlinkSync("c/absolute/../c", join(root, "up"));
  symlinkSync("c/absolute/../missing/", join(root, "danglingUp"));
  symlinkSync("loop", join(root, "loop"));
  return root;
}

describe.each([
  ["a/b/file", "a/b/file"],
  ["a/none", "a/none"],
  ["a/none/below", "a/none/below"],
  ["a/b/file/below", "a/b/file/below"],
  ["relative", "a/b"],
  ["relative/file", "a/b/file"],
  ["relative/none", "a/b/none"],
  ["c/absolute/b/file", "a/b/file"],
  ["c/chain", "a/b/file"],
  ["dangling", "a/missing"],
  ["dangling/below", "a/missing/below"],
  ["up", "c"],
  ["danglingUp", "missing"],
])("%s", (path, real) => {
  test.each([
    ["realPathOf", realPathOf],
    ["linkFreePath", linkFreePath],
  ])(`leads to ${real}, says %s`, (_, follow) => {
    const root = tree();
    expect(follow(join(root, path), new KnownPaths())).toBe(join(root, real));
  });
});

test("a loop of links ends", () => {
  const root = tree();
  expect(realPathOf(join(root, "loop/x"))).toBe(join(root, "loop/x"));
  expect(linkFreePath(join(root, "loop/x"), new KnownPaths())).toBe(join(root, "loop/x"));
});

test("paths side by side share what is known of their folders", () => {
  const [root, known] = [tree(), new KnownPaths()];
  const paths = ["relative", "relative/file", "relative/none", "relative/none/below"].map((path) => join(root, path));
  expect(paths.map((path) => linkFreePath(path, known))).toEqual(paths.map((path) => realPathOf(path)));
});

test("what is above a missing folder is not missing: a link there is still followed", () => {
  const [root, known] = [tree(), new KnownPaths()];
  symlinkSync("none/../c", join(root, "throughMissing"));
  for (const path of ["none", "throughMissing"]) linkFreePath(join(root, path), known);
  const paths = ["c/chain", "relative/file", "dangling"].map((path) => join(root, path));
  expect(paths.map((path) => linkFreePath(path, known))).toEqual(paths.map((path) => realPathOf(path)));
});
