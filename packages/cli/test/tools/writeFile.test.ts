import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { writeAtomically } from "../../src/tools/writeAtomically.ts";
import { Sandbox, toolNamed } from "./sandbox.ts";

test("write_file creates a file and the folders on the way", async () => {
  const sandbox = new Sandbox();
  const result = await sandbox.call("write_file", { file_path: "src/deep/a.ts", content: "one\n" });
  expect(result).toEqual({
    llmContent: "Created src/deep/a.ts (4 bytes).",
    returnDisplay: "--- src/deep/a.ts\n+++ src/deep/a.ts\n@@ -0,0 +1,1 @@\n+one\n",
  });
  expect(sandbox.read("src/deep/a.ts")).toBe("one\n");
  expect(readdirSync(sandbox.path("src/deep"))).toEqual(["a.ts"]);
});

test("write_file overwrites a file, keeps its mode, and leaves nothing else in the folder", async () => {
  const sandbox = new Sandbox({ "run.sh": "old\n" });
  chmodSync(sandbox.path("run.sh"), 0o750);
  expect(await sandbox.answer("write_file", { file_path: sandbox.path("run.sh"), content: "new\n" })).toBe(
    "Overwrote run.sh (4 bytes).",
  );
  expect(sandbox.read("run.sh")).toBe("new\n");
  expect(statSync(sandbox.path("run.sh")).mode & 0o777).toBe(0o750);
  expect(readdirSync(sandbox.root)).toEqual(["run.sh"]);
});

test("a new file gets the mode that the umask leaves", async () => {
  const sandbox = new Sandbox();
  await sandbox.call("write_file", { file_path: "new.txt", content: "" });
  expect(statSync(sandbox.path("new.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
});

test("a link inside of the workspace stays a link, and the file it leads to is written", async () => {
  const sandbox = new Sandbox({ "real.txt": "old" });
  symlinkSync("real.txt", sandbox.path("link.txt"));
  expect(await sandbox.answer("write_file", { file_path: "link.txt", content: "new" })).toContain("Overwrote real.txt");
  expect(lstatSync(sandbox.path("link.txt")).isSymbolicLink()).toBe(true);
  expect(sandbox.read("real.txt")).toBe("new");
});

test("a folder, a pipe and a file used as a folder are refused before anybody is asked", async () => {
  const sandbox = new Sandbox({ "folder/a.txt": "a", "file.txt": "f" });
  spawnSync("mkfifo", [sandbox.path("pipe")]);
  const fault = (file_path: string) => sandbox.validate("write_file", { file_path, content: "" });
  expect(await fault("folder")).toBe("folder is a folder, not a file; use list_directory to see its content.");
  expect(await fault("pipe")).toContain("pipe is not a regular file");
  expect(await fault("file.txt/b.txt")).toBe("A part of file.txt/b.txt is a file, not a folder.");
});

test("a person who is asked sees the file and what changes in it", async () => {
  const sandbox = new Sandbox({ "a.txt": "one\ntwo\n" });
  const tool = toolNamed("write_file");
  expect(await tool.describe({ file_path: "a.txt", content: "one\n2\n" }, sandbox.context())).toEqual({
    type: "edit",
    title: "Overwrite a.txt?",
    file_path: sandbox.path("a.txt"),
    diff: "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
    originalContent: "one\ntwo\n",
    newContent: "one\n2\n",
  });
  expect(await tool.describe({ file_path: "b.txt", content: "x" }, sandbox.context())).toMatchObject({
    title: "Create b.txt?",
    originalContent: null,
  });
});

test("a diff that nobody would read is cut, and files that differ everywhere take no minutes", async () => {
  const lines = (word: string) => Array.from({ length: 40_000 }, (_, index) => `${word}${index}`).join("\n");
  const sandbox = new Sandbox({ "a.txt": lines("a") });
  const { diff } = await toolNamed("write_file").describe(
    { file_path: "a.txt", content: lines("b") },
    sandbox.context(),
  );
  expect(String(diff).length).toBeLessThan(21_000);
});

test("a binary file can be overwritten, and the person is told instead of shown", async () => {
  const sandbox = new Sandbox({ "a.bin": Buffer.from([0, 1, 2]) });
  const result = await sandbox.call("write_file", { file_path: "a.bin", content: "text" });
  expect(result.returnDisplay).toBe("[a.bin is not a text file; its 3 bytes are overwritten]");
  expect(sandbox.read("a.bin")).toBe("text");
});

test("the files that a call writes are told by their real paths", () => {
  const sandbox = new Sandbox({ "real/a.txt": "" });
  symlinkSync("real", sandbox.path("link"));
  const writes = (file_path: unknown) =>
    toolNamed("write_file").writes?.({ file_path, content: "" }, sandbox.context());
  expect(writes("link/b.txt")).toEqual([sandbox.path("real/b.txt")]);
  expect(writes("../outside/b.txt")).toEqual([]);
  expect(writes(7)).toEqual([]);
});

test("what somebody else writes meanwhile is not overwritten", async () => {
  const sandbox = new Sandbox({ "a.txt": "old" });
  const { workspace } = sandbox;
  const expected = statSync(sandbox.path("a.txt"), { bigint: true });
  const write = (path: string, state: typeof expected | undefined) =>
    writeAtomically({ workspace, path: sandbox.path(path), content: "ours", expected: state });
  sandbox.write("a.txt", "theirs");
  await expect(write("a.txt", expected)).rejects.toThrow("a.txt was changed by another program since it was read");
  await expect(write("a.txt", undefined)).rejects.toThrow("a.txt was changed by another program since it was read");
  await expect(write("gone.txt", expected)).rejects.toThrow(
    "gone.txt was changed by another program since it was read",
  );
  expect(sandbox.read("a.txt")).toBe("theirs");
  expect(readdirSync(sandbox.root)).toEqual(["a.txt"]);
});

test("a folder that becomes a link out of the workspace after the check is not written into", async () => {
  const sandbox = new Sandbox();
  const path = sandbox.workspace.resolve("folder/a.txt");
  symlinkSync(sandbox.outside, sandbox.path("folder"));
  const write = writeAtomically({ workspace: sandbox.workspace, path, content: "x", expected: undefined });
  await expect(write).rejects.toThrow();
  expect(readdirSync(sandbox.outside)).toEqual([]);
});

test.skipIf(process.getuid?.() === 0)(
  "a folder that may not be written is named, and nothing else is said",
  async () => {
    const sandbox = new Sandbox({ "locked/a.txt": "old" });
    chmodSync(sandbox.path("locked"), 0o555);
    expect(await sandbox.answer("write_file", { file_path: "locked/a.txt", content: "new" })).toBe(
      "locked/a.txt cannot be written: EACCES: permission denied.",
    );
    expect(sandbox.read("locked/a.txt")).toBe("old");
    chmodSync(sandbox.path("locked"), 0o755);
  },
);

test("a writer that is killed at any moment leaves the old content or the new one", async () => {
  const sandbox = new Sandbox();
  const size = 400_000;
  const contents = ["a", "b"].map((letter) => letter.repeat(size));
  sandbox.write("a.txt", contents[0] ?? "");
  for (let round = 0; round < ROUNDS; round++) {
    const writer = spawn(process.execPath, [WRITER, sandbox.root, String(size)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data"); // it has begun to write, again and again
    await new Promise((resolve) => setTimeout(resolve, (round / ROUNDS) * 40));
    writer.kill("SIGKILL");
    await once(writer, "exit");
    expect(contents).toContain(readFileSync(sandbox.path("a.txt"), "utf8"));
  }
}, 180_000);

/** `npm run soak` kills more. */
const ROUNDS = Number(process.env.HOOKLINE_SOAK_WRITES ?? 6);
const WRITER = fileURLToPath(new URL("../fixtures/tools/writes-without-end.mjs", import.meta.url));
