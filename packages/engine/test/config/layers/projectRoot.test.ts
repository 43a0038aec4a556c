import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProjectRoot, isProjectRoot } from "../../../src/config/layers/projectRoot.ts";
import { oneHook, USER_FILE, workspace } from "../workspace.ts";

test.each([
  { from: "a/b/c", files: ["a/.git/HEAD"], root: "a" },
  { from: "a/b/c", files: ["a/.git/HEAD", "a/b/.hookline/x"], root: "a/b", outer: ["a"] },
  { from: "a/b/c", files: ["a/.git/HEAD", "a/b/.gemini/x"], root: "a/b", outer: ["a"] },
  { from: "a/b/c", files: ["a/.git/HEAD", "a/b/.system/x"], root: "a/b", outer: ["a"] },
  { from: "a/b", files: ["a/b/.git"], root: "a/b" }, // a linked work tree
  { from: "a/b", files: ["a/.hookline"], root: "a/b" }, // a file, so no folder of settings
  { from: "a/b/c", files: [], root: "a/b/c" },
  { from: "home/p", files: ["home/.hookline/settings.json", "home/.gemini/settings.json"], root: "home/p" },
  { from: "home/p", files: ["home/.git/HEAD"], root: "home" },
  { from: "home/p", files: ["home/.system/hooks/x.yaml"], root: "home" },
])("from $from with $files the root is $root", async ({ from, files, root, outer = [] }) => {
  const space = await workspace(Object.fromEntries(files.map((file) => [file, ""])));
  await mkdir(join(space.dir, from), { recursive: true });
  const found = findProjectRoot(join(space.dir, from), space.home);
  expect(space.relative(found)).toEqual({ root, outer });
});

test("a home that is a repository is a project, and its user files stay the user's", async () => {
  const space = await workspace({
    [USER_FILE]: oneHook({ name: "mine" }),
    "home/.gemini/settings.json": oneHook({ name: "mine-too" }),
    "home/.git/HEAD": "",
    "home/.system/hooks/p.yaml": "id: p\nevent_type: SessionStop\nhandler: { kind: script, command: 'true' }\n",
  });
  await symlink(space.home, join(space.dir, "link-to-home"));
  for (const homeDir of [space.home, join(space.dir, "link-to-home")]) {
    const { hooks, projectRoot } = await space.load({ workingDir: join(space.dir, "link-to-home"), homeDir });
    expect(projectRoot).toBe(space.home);
    expect(hooks.map(({ name, source }) => ({ name, source }))).toEqual([
      { name: "p", source: "project" },
      { name: "mine", source: "user" },
      { name: "mine-too", source: "user" },
    ]);
  }
});

test("hooks further out in the same work tree are not loaded, and every such file is named", async () => {
  const space = await workspace({
    "repo/.git/HEAD": "",
    "repo/.hookline/settings.json": oneHook({ name: "outer" }),
    "repo/.gemini/settings.json": { theme: "dark" },
    "repo/.system/hooks/o.yaml": "id: o\n",
    "repo/pkg/.gemini/settings.json": oneHook({ name: "inner" }),
    ".hookline/settings.json": oneHook({ name: "outside the work tree" }),
  });
  const { hooks, problems } = await space.load({ workingDir: join(space.dir, "repo/pkg") });
  const what = "warning Hooks declared here, outside the project root, are not loaded.";
  expect(hooks.map(({ name }) => name)).toEqual(["inner"]);
  expect(space.said(problems)).toEqual([
    `repo/.hookline/settings.json:2:3 ${what}`,
    `repo/.system/hooks/o.yaml:1:1 ${what}`,
  ]);
});

test("the user's files are not named as hooks further out", async () => {
  const space = await workspace({
    [USER_FILE]: oneHook({ name: "mine" }),
    "home/.git/HEAD": "",
    "home/p/.hookline/settings.json": oneHook({ name: "p" }),
  });
  const { problems, hooks } = await space.load({ workingDir: join(space.home, "p") });
  expect(problems).toEqual([]);
  expect(hooks.map(({ name }) => name)).toEqual(["p", "mine"]);
});

test("a working directory that does not exist yet is its own project", async () => {
  const space = await workspace();
  const workingDir = join(space.dir, "not/yet");
  expect(await space.load({ workingDir })).toMatchObject({ projectRoot: workingDir, hooks: [], problems: [] });
});

test("a marker that leads to itself marks no root, and is not taken for no project where state is to be kept", async () => {
  const space = await workspace();
  await symlink(".git", join(space.dir, ".git"));
  const below = join(space.dir, "below");
  expect(findProjectRoot(below, space.home)).toEqual({ root: below, outer: [] });
  expect(() => isProjectRoot(space.dir, space.home)).toThrow("ELOOP");
});
