import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findHelper, helperPath } from "../../src/git/helperProgram.ts";

function folderWith(...programs: readonly string[]): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "hookline-helper-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  for (const program of programs) {
    mkdirSync(dirname(join(dir, program)), { recursive: true });
    writeFileSync(join(dir, program), "#!/bin/sh\n");
    chmodSync(join(dir, program), 0o755);
  }
  return dir;
}

test("a helper is found in the first absolute folder outside the project", () => {
  const dir = folderWith("project/bin/tool", "usr/bin/tool", "other/bin/tool");
  const path = `.::bin:${dir}/project/bin:${dir}/usr/bin:${dir}/other/bin`;
  expect(findHelper("tool", join(dir, "project"), path)).toBe(join(dir, "usr/bin/tool"));
  expect(helperPath(join(dir, "project"), path)).toBe(`${dir}/usr/bin:${dir}/other/bin`);
});

test("links into the project lead to nothing, whether they are folders or programs", () => {
  const dir = folderWith("project/bin/tool", "usr/bin/other");
  symlinkSync(join(dir, "project/bin"), join(dir, "linked"));
  symlinkSync(join(dir, "project/bin/tool"), join(dir, "usr/bin/tool"));
  expect(findHelper("tool", join(dir, "project"), `${dir}/linked:${dir}/usr/bin`)).toBeUndefined();
});

test("in a project at the top of the file system helpers are found as everywhere", () => {
  const dir = folderWith("bin/tool");
  expect(findHelper("tool", "/", `.:${dir}/bin`)).toBe(join(dir, "bin/tool"));
});

test.each(["", ".", undefined])("without an absolute folder in PATH (%j) there is none", (path) => {
  expect(findHelper("sh", "/nowhere", path ?? "")).toBeUndefined();
});
