import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { callPath } from "../../../src/config/trust/callPaths.ts";
import { temporaryFolder } from "../../support/system.ts";

/** A project with links, reached through `alias`, a link above it. */
function project() {
  const dir = temporaryFolder();
  const root = join(dir, "my project.d");
  for (const folder of ["sub/deep", "secret"]) mkdirSync(join(root, folder), { recursive: true });
  for (const file of [".env", "a.txt", "sub/b.txt"]) writeFileSync(join(root, file), "");
  const links = { "notes.txt": ".env", linked: "sub/deep", out: "../..", "new.txt": "secret/new.txt", loop: "loop" };
  for (const [path, target] of Object.entries(links)) symlinkSync(target, join(root, path));
  symlinkSync(root, join(dir, "alias"));
  return { dir, root, alias: join(dir, "alias") };
}

describe("a path of a call", () => {
  test.each<[string, string, readonly string[]]>([
    ["a.txt", "a.txt", []],
    ["sub/b.txt", "sub/b.txt", []],
    ["missing/x.txt", "missing/x.txt", []],
    [".", "", []],
    ["./a.txt", "a.txt", ["a.txt"]],
    ["sub/", "sub", ["sub"]],
    ["notes.txt", ".env", [".env"]],
    ["linked/new", "sub/deep/new", ["sub/deep/new"]],
    ["new.txt", "secret/new.txt", ["secret/new.txt"]],
    ["linked/../a.txt", "a.txt", ["a.txt", "sub/a.txt"]],
    ["loop", "loop", []],
  ])("%j leads to %j", (sent, file, others) => {
    const { root } = project();
    expect(callPath(sent, { workingDir: root, projectRoot: root })).toEqual({ file: join(root, file), others });
  });

  test("keeps its form: absolute, or relative to the working directory", () => {
    const { dir, root } = project();
    const place = { workingDir: join(root, "sub"), projectRoot: root };
    expect(callPath("b.txt", place).others).toEqual([]);
    expect(callPath("../notes.txt", place).others).toEqual([join(root, ".env")]);
    expect(callPath(join(root, "notes.txt"), place).others).toEqual([join(root, ".env")]);
    expect(callPath("../out", place).others).toEqual([join(dir, "..")]);
  });

  test("is not different because of links above the project", () => {
    const { root, alias } = project();
    const place = { workingDir: alias, projectRoot: root };
    expect(callPath("a.txt", place)).toEqual({ file: join(root, "a.txt"), others: [] });
    expect(callPath(join(alias, "a.txt"), place)).toEqual({ file: join(root, "a.txt"), others: [] });
    expect(callPath(alias, place)).toEqual({ file: root, others: [] });
    expect(callPath(join(alias, "notes.txt"), place).others).toEqual([join(root, ".env")]);
    expect(callPath("notes.txt", place).others).toEqual([".env"]);
  });
});
