import { mkdirSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contentHash, fileStamp } from "../../../src/config/values/fileContent.ts";
import { RecentPaths } from "../../../src/hooks/run/recentPaths.ts";
import { StartedFiles } from "../../../src/hooks/run/startedFiles.ts";
import { temporaryFolder } from "../../support/system.ts";

/** A script in a folder of its own, and what is known of it before a start. */
function started() {
  const dir = temporaryFolder();
  const folder = join(dir, "hooks");
  mkdirSync(folder);
  writeFileSync(join(folder, "guard.sh"), "exit 0\n");
  const file = join(folder, "guard.sh");
  return { dir, folder, file, files: new StartedFiles([file]) };
}

function exchangeAndPutBack(folder: string): void {
  renameSync(folder, `${folder}.aside`);
  mkdirSync(folder);
  rmSync(folder, { recursive: true });
  renameSync(`${folder}.aside`, folder);
}

const same = () => true;

test("files that nobody touched are settled by the first answer, and stay so", () => {
  const { files, folder } = started();
  files.settle(same, true);
  expect([files.areSettled, files.areSwapped]).toEqual([true, false]);
  exchangeAndPutBack(folder);
  files.settle(same, true);
  expect(files.areSwapped).toBe(false);
});

test("a folder that was exchanged and put back is noticed, also where the times above it were set back", () => {
  const { files, folder, dir } = started();
  const { atime, mtime } = statSync(dir);
  exchangeAndPutBack(folder);
  utimesSync(dir, atime, mtime);
  files.settle(same, true);
  expect(files.areSwapped).toBe(true);
});

test("one that was given up before it answered may still be reading its files", () => {
  const { files, folder } = started();
  files.settle(same, false);
  expect([files.areSettled, files.areSwapped]).toEqual([false, false]);
  exchangeAndPutBack(folder);
  files.settle(same, true);
  expect(files.areSwapped).toBe(true);
});

test("a way that cannot be walked counts as swapped, before the start and after it", () => {
  const { files, folder, file } = started();
  renameSync(folder, `${folder}.aside`);
  symlinkSync("hooks", folder); // to itself
  expect(fileStamp(file)).toBeUndefined();
  expect(new StartedFiles([file]).areSwapped).toBe(true);
  files.settle(same, false);
  expect(files.areSwapped).toBe(true);
});

test.each([
  ["a file", (folder: string) => writeFileSync(folder, "")],
  ["nothing", () => {}],
  ["another folder", (folder: string) => mkdirSync(folder)],
])("a folder in whose place there was %s at the start is noticed when it is back", (_, stand) => {
  const { folder, file } = started();
  renameSync(folder, `${folder}.aside`);
  stand(folder);
  const files = new StartedFiles([file]);
  rmSync(folder, { recursive: true, force: true });
  renameSync(`${folder}.aside`, folder);
  files.settle(same, true);
  expect(files.areSwapped).toBe(true);
});

test("the look after one run is the look before the next, so an exchange between them is noticed", () => {
  const { folder, file } = started();
  const [list, recent] = [[file], new RecentPaths()];
  const run = (meanwhile = () => {}) => {
    const files = new StartedFiles(list, recent);
    meanwhile();
    files.settle(same, true);
    return files.areSwapped;
  };
  expect(run()).toBe(false);
  exchangeAndPutBack(folder);
  expect([run(), run()]).toEqual([true, false]);
  expect([run(() => exchangeAndPutBack(folder)), run()]).toEqual([true, false]);
});

test("a look is forgotten when changed files are let through again", () => {
  const { folder, file } = started();
  const [list, recent] = [[file], new RecentPaths()];
  new StartedFiles(list, recent).settle(same, true);
  exchangeAndPutBack(folder);
  recent.forget(list);
  const files = new StartedFiles(list, recent);
  files.settle(same, true);
  expect([files.areSettled, files.areSwapped]).toEqual([true, false]);
});

test("new entries in both folders are no exchange, run after run", () => {
  const { dir, folder, file } = started();
  const [list, recent] = [[file], new RecentPaths()];
  for (const name of ["1", "2", "3"]) {
    const files = new StartedFiles(list, recent);
    writeFileSync(join(folder, name), "");
    writeFileSync(join(dir, name), "");
    files.settle(same, true);
    expect(files.areSettled).toBe(true);
  }
});

test("a file is read when no later change can have the same time", () => {
  const { file } = started();
  writeFileSync(file, "exit 1\n");
  const { ctimeMs } = statSync(file);
  expect(contentHash(file)).toBeDefined();
  expect(Date.now() - ctimeMs).toBeGreaterThanOrEqual(19);
});
