import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRegularFile } from "../../src/tools/openRegularFile.ts";
import { Workspace } from "../../src/tools/workspace.ts";
import { Sandbox, toolNamed } from "./sandbox.ts";

/** Ways out, by what they are; the links are made by `makeLinks`. */
const ESCAPES: Readonly<Record<string, (sandbox: Sandbox) => string>> = {
  "parent folders": () => "../outside/secret.txt",
  "parent folders after a folder": () => "sub/../../outside/secret.txt",
  "an absolute path": ({ outside }) => join(outside, "secret.txt"),
  "a folder whose name begins like the workspace": ({ root }) => `${root}-other/a.txt`,
  "a linked file": () => "file-link",
  "a linked folder": () => "folder-link/secret.txt",
  "a new file in a linked folder": () => "folder-link/new/new.txt",
  "a link to what does not exist": () => "dangling-link",
  "a link to such a link": () => "link-to-dangling-link",
  "a relative link to what does not exist": () => "sub/dangling-link",
  "a new file under a link to what does not exist": () => "dangling-link/a.txt",
};

function makeLinks(sandbox: Sandbox): void {
  mkdirSync(sandbox.path("sub"));
  writeFileSync(join(sandbox.outside, "secret.txt"), "secret");
  symlinkSync(join(sandbox.outside, "secret.txt"), sandbox.path("file-link"));
  symlinkSync("../outside", sandbox.path("folder-link"));
  symlinkSync(join(sandbox.outside, "not-there-yet"), sandbox.path("dangling-link"));
  symlinkSync("dangling-link", sandbox.path("link-to-dangling-link"));
  symlinkSync("../../outside/not-there-yet", sandbox.path("sub/dangling-link"));
}

describe.each(Object.entries(ESCAPES))("%s", (_, wayOut) => {
  test.each(["read_file", "write_file", "replace"])("does not lead %s out of the workspace", async (name) => {
    const sandbox = new Sandbox();
    makeLinks(sandbox);
    const input = { file_path: wayOut(sandbox), content: "x", old_string: "secret", new_string: "x" };
    const fault = `is outside of the workspace ${sandbox.root}`;
    expect(await sandbox.validate(name, input)).toContain(fault);
    await expect(toolNamed(name).execute(input, sandbox.context())).rejects.toThrow(fault);
    expect(readdirSync(sandbox.outside)).toEqual(["secret.txt"]);
    expect(readFileSync(join(sandbox.outside, "secret.txt"), "utf8")).toBe("secret");
  });
});

test.each(["list_directory", "glob", "grep_search", "run_shell_command"])(
  "%s does not run in a folder outside of the workspace",
  async (name) => {
    const sandbox = new Sandbox();
    makeLinks(sandbox);
    for (const dir_path of ["..", sandbox.outside, "folder-link"]) {
      const input = { dir_path, pattern: "*", command: "touch made" };
      const fault = `is outside of the workspace ${sandbox.root}`;
      expect(await sandbox.validate(name, { ...input, pattern: "x" })).toContain(fault);
      await expect(toolNamed(name).execute(input, sandbox.context())).rejects.toThrow(fault);
    }
    expect(readdirSync(sandbox.outside)).toEqual(["secret.txt"]);
  },
);

test("a path inside is found under any of its spellings", () => {
  const sandbox = new Sandbox({ "src/a.ts": "" });
  symlinkSync("src", sandbox.path("link"));
  symlinkSync(sandbox.root, join(sandbox.dir, "alias"));
  const { workspace } = sandbox;
  const real = sandbox.path("src/a.ts");
  for (const path of ["src/a.ts", "./src/../src/a.ts", "link/a.ts", real, join(sandbox.dir, "alias/src/a.ts")]) {
    expect(workspace.resolve(path)).toBe(real);
  }
  expect(new Workspace(join(sandbox.dir, "alias")).resolve("src/a.ts")).toBe(real);
  expect(workspace.resolve("link/new/b.ts")).toBe(sandbox.path("src/new/b.ts"));
  expect(workspace.resolve(".")).toBe(sandbox.root);
  expect(workspace.resolve("..a")).toBe(sandbox.path("..a"));
});

test("NUL characters, empty paths and links in a circle are refused", () => {
  const { workspace, ...sandbox } = new Sandbox();
  symlinkSync("circle", join(sandbox.root, "circle"));
  expect(() => workspace.resolve("a\0b")).toThrow("The path contains a NUL character.");
  expect(() => workspace.resolve("")).toThrow("The path is empty.");
  expect(() => workspace.resolve("circle")).toThrow("cannot be looked up: ELOOP");
});

test("a file that becomes a link after the check is not read", async () => {
  const sandbox = new Sandbox({ "a.txt": "ours" });
  writeFileSync(join(sandbox.outside, "secret.txt"), "secret");
  const path = sandbox.workspace.resolve("a.txt");
  rmSync(path);
  symlinkSync(join(sandbox.outside, "secret.txt"), path);
  await expect(readRegularFile(sandbox.workspace, path, { maxBytes: 100, advice: "" })).rejects.toThrow();
});

test("a file whose folder becomes a link after the check is not read", async () => {
  const sandbox = new Sandbox({ "folder/secret.txt": "ours" });
  writeFileSync(join(sandbox.outside, "secret.txt"), "secret");
  const path = sandbox.workspace.resolve("folder/secret.txt");
  renameSync(sandbox.path("folder"), sandbox.path("moved"));
  symlinkSync(sandbox.outside, sandbox.path("folder"));
  await expect(readRegularFile(sandbox.workspace, path, { maxBytes: 100, advice: "" })).rejects.toThrow(
    "has been moved or replaced by a link",
  );
});
