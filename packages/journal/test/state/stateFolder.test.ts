import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readOwnFile } from "../../src/state/openOwnFile.ts";
import { readRootRecord, rootIdentity } from "../../src/state/rootRecord.ts";
import { makeStateFolder } from "../../src/state/stateFolder.ts";
import { statePath } from "../../src/state/statePlace.ts";
import { JournalFolder } from "../support/journalFixtures.ts";

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

test.each([
  ["/srv/my project", /^my_project-[0-9a-f]{20}$/],
  ["/srv/..evil", /^evil-[0-9a-f]{20}$/],
  ["/srv/-rf", /^rf-[0-9a-f]{20}$/],
  ["/srv/日本", /^__-[0-9a-f]{20}$/],
  ["/", /^root-[0-9a-f]{20}$/],
  [`/srv/${"x".repeat(300)}`, /^x{40}-[0-9a-f]{20}$/],
])("the folder of %s has a name that is safe, and says whose it is", (projectRoot, name) => {
  expect(basename(statePath({ projectRoot, homeDir: "/home/kim" }))).toMatch(name);
});

test("a link to a project is the project, and another project has another folder", () => {
  const folders = new JournalFolder({ "other/project/here": "" });
  symlinkSync(folders.projectRoot, join(folders.dir, "linked"));
  const folder = statePath(folders.place);
  expect(statePath({ ...folders.place, projectRoot: join(folders.dir, "linked") })).toBe(folder);
  expect(statePath({ ...folders.place, projectRoot: join(folders.dir, "other/project") })).not.toBe(folder);
});

test("it is made for its owner only, knows its root, and nothing is written into the project", () => {
  const folders = new JournalFolder({ "project/.git/HEAD": "" });
  const folder = makeStateFolder(folders.place);
  expect([folder, dirname(folder)].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(readRootRecord(folder)).toEqual({ root: folders.projectRoot, identity: rootIdentity(folders.projectRoot) });
  expect(readdirSync(folders.projectRoot)).toEqual([".git"]);
  chmodSync(folder, 0o777);
  makeStateFolder(folders.place);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});

test("~/.hookline may be a link, as dotfiles have it; what is below it may not", () => {
  const folders = new JournalFolder({ "home/dotfiles/hookline/settings.json": "{}", "elsewhere/here": "" });
  symlinkSync("dotfiles/hookline", join(folders.homeDir, ".hookline"));
  expect(readRootRecord(makeStateFolder(folders.place))).toMatchObject({ root: folders.projectRoot });
  const second = new JournalFolder({ "elsewhere/here": "", "home/.hookline/settings.json": "{}" });
  symlinkSync(join(second.dir, "elsewhere"), join(second.homeDir, ".hookline/projects"));
  expect(() => makeStateFolder(second.place)).toThrow("the folder is a symbolic link");
  expect(readdirSync(join(second.dir, "elsewhere"))).toEqual(["here"]);
});

test.runIf(isRoot)("a folder or a file of another user is not used", () => {
  const folders = new JournalFolder({ "home/.hookline/settings.json": "{}", theirs: "x" });
  chownSync(join(folders.dir, "theirs"), NOBODY, NOBODY);
  expect(() => readOwnFile(join(folders.dir, "theirs"), 10)).toThrow("belongs to another user");
  chownSync(join(folders.homeDir, ".hookline"), NOBODY, NOBODY);
  expect(() => makeStateFolder(folders.place)).toThrow("belongs to another user");
});

test("a file is read only if it is a plain one with one name, and no larger than expected", () => {
  const folders = new JournalFolder({ plain: "text" });
  const at = (name: string) => join(folders.dir, name);
  expect(readOwnFile(at("plain"), 4)).toBe("text");
  expect(() => readOwnFile(at("plain"), 3)).toThrow("at most 3 are read");
  symlinkSync(at("plain"), at("link"));
  expect(() => readOwnFile(at("link"), 4)).toThrow(/ELOOP|EMLINK/);
  mkdirSync(at("folder"));
  expect(() => readOwnFile(at("folder"), 4)).toThrow("not a regular file");
  linkSync(at("plain"), at("second"));
  expect(() => readOwnFile(at("plain"), 4)).toThrow("another hard link");
});
