import { chmodSync, chownSync, linkSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { readOwnFile } from "../../../journal/src/state/openOwnFile.ts";
import { readRootRecord, rootIdentity } from "../../../journal/src/state/rootRecord.ts";
import { makeStateFolder } from "../../../journal/src/state/stateFolder.ts";
import { statePath } from "../../../journal/src/state/statePlace.ts";
import { isSignature, signature } from "../../src/state/userKey.ts";
import { Machine } from "../support/machine.ts";

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
  const machine = new Machine({ "other/project/here": "" });
  symlinkSync(machine.project, join(machine.dir, "linked"));
  const folder = statePath(machine.place);
  expect(statePath({ ...machine.place, projectRoot: join(machine.dir, "linked") })).toBe(folder);
  expect(statePath({ ...machine.place, projectRoot: join(machine.dir, "other/project") })).not.toBe(folder);
});

test("it is made for its owner only, knows its root, and nothing is written into the project", () => {
  const machine = new Machine();
  const folder = makeStateFolder(machine.place);
  expect([folder, dirname(folder)].map((path) => lstatSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  expect(readRootRecord(folder)).toEqual({ root: machine.project, identity: rootIdentity(machine.project) });
  expect(readdirSync(machine.project)).toEqual([".git"]);
  chmodSync(folder, 0o777);
  makeStateFolder(machine.place);
  expect(lstatSync(folder).mode & 0o777).toBe(0o700);
});

test("~/.hookline may be a link, as dotfiles have it; what is below it may not", () => {
  const machine = new Machine({ "home/dotfiles/hookline/settings.json": {}, "elsewhere/here": "" });
  symlinkSync("dotfiles/hookline", join(machine.home, ".hookline"));
  expect(readRootRecord(makeStateFolder(machine.place))).toMatchObject({ root: machine.project });
  const second = new Machine({ "elsewhere/here": "", "home/.hookline/settings.json": {} });
  symlinkSync(join(second.dir, "elsewhere"), join(second.home, ".hookline/projects"));
  expect(() => makeStateFolder(second.place)).toThrow("the folder is a link to another place");
  expect(readdirSync(join(second.dir, "elsewhere"))).toEqual(["here"]);
});

test.runIf(isRoot)("a folder or a file of another user is not used", () => {
  const machine = new Machine({ "home/.hookline/settings.json": {}, theirs: "x" });
  chownSync(join(machine.dir, "theirs"), NOBODY, NOBODY);
  expect(() => readOwnFile(join(machine.dir, "theirs"), 10)).toThrow("belongs to another user");
  chownSync(join(machine.home, ".hookline"), NOBODY, NOBODY);
  expect(() => makeStateFolder(machine.place)).toThrow("belongs to another user");
});

test("a file is read only if it is a plain one with one name, and no larger than expected", () => {
  const machine = new Machine({ plain: "text" });
  const at = (name: string) => join(machine.dir, name);
  expect(readOwnFile(at("plain"), 4)).toBe("text");
  expect(() => readOwnFile(at("plain"), 3)).toThrow("at most 3 are read");
  symlinkSync(at("plain"), at("link"));
  expect(() => readOwnFile(at("link"), 4)).toThrow(/ELOOP|EMLINK/);
  mkdirSync(at("folder"));
  expect(() => readOwnFile(at("folder"), 4)).toThrow("not a regular file");
  linkSync(at("plain"), at("second"));
  expect(() => readOwnFile(at("plain"), 4)).toThrow("a hard link");
});

test("a signature holds for one user, one purpose and one content", () => {
  const [one, other] = [new Machine(), new Machine()];
  const made = signature(one.home, "purpose", { a: 1 });
  expect(isSignature(made, signature(one.home, "purpose", { a: 1 }))).toBe(true);
  expect(isSignature(made, signature(one.home, "another", { a: 1 }))).toBe(false);
  expect(isSignature(made, signature(one.home, "purpose", { a: 2 }))).toBe(false);
  expect(isSignature(made, signature(other.home, "purpose", { a: 1 }))).toBe(false);
  expect(lstatSync(join(one.home, ".hookline/key")).mode & 0o777).toBe(0o600);
  writeFileSync(join(one.home, ".hookline/key"), "short");
  expect(() => signature(one.home, "purpose", {})).toThrow("does not hold a key");
});
