import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Sandbox, toolNamed } from "./sandbox.ts";

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

test("read_file returns a small file whole, without its byte order mark and with plain line ends", async () => {
  const sandbox = new Sandbox({ "a.txt": "\ufeffone\r\ntwo\r\n" });
  expect(await sandbox.call("read_file", { file_path: "a.txt" })).toEqual({
    llmContent: "one\ntwo",
    returnDisplay: "2 lines of a.txt",
  });
});

test("read_file returns the lines asked for and says how to read on", async () => {
  const sandbox = new Sandbox({ "a.txt": numbered(10) });
  expect(await sandbox.call("read_file", { file_path: "a.txt", offset: 2, limit: 3 })).toEqual({
    llmContent: "line 3\nline 4\nline 5\n\n[Lines 3 to 5 of 10 are shown. To continue, use offset 5.]",
    returnDisplay: "lines 3 to 5 of 10 of a.txt",
  });
  expect(await sandbox.answer("read_file", { file_path: "a.txt", offset: 9 })).toBe(
    "line 10\n\n[Lines 10 to 10 of 10 are shown.]",
  );
  expect(await sandbox.answer("read_file", { file_path: "a.txt", offset: 10 })).toBe(
    "a.txt has only 10 lines; `offset` counts from 0, so it must be less.",
  );
});

test("read_file cuts a file of many lines, of many bytes, and a long line", async () => {
  const sandbox = new Sandbox({
    "lines.txt": numbered(5_000),
    "bytes.txt": `${"é".repeat(1_999)}\n`.repeat(1_000),
    "line.txt": `${"x".repeat(1_999)}😀${"y".repeat(100)}`,
  });
  expect(await sandbox.answer("read_file", { file_path: "lines.txt" })).toContain(
    "line 2000\n\n[Lines 1 to 2000 of 5000 are shown. To continue, use offset 2000.]",
  );
  const bytes = await sandbox.answer("read_file", { file_path: "bytes.txt" });
  expect(Buffer.byteLength(bytes)).toBeLessThan(257 * 1024);
  expect(bytes).toContain("[Lines 1 to 65 of 1000 are shown. To continue, use offset 65.]");
  expect(await sandbox.answer("read_file", { file_path: "line.txt" })).toBe(
    `${"x".repeat(1_999)}… [102 more characters in this line]`,
  );
});

test("an empty file is said to be empty", async () => {
  expect(await new Sandbox({ "a.txt": "" }).answer("read_file", { file_path: "a.txt" })).toBe("a.txt is empty.");
});

test("images and PDF files are given to the model as they are, whatever their names", async () => {
  const png = Buffer.from("89504e470d0a1a0a0000", "hex");
  const sandbox = new Sandbox({ picture: png, "page.pdf": "%PDF-1.7\n…" });
  expect(await sandbox.call("read_file", { file_path: "picture" })).toEqual({
    llmContent: [{ inlineData: { mimeType: "image/png", data: png.toString("base64"), displayName: "picture" } }],
    returnDisplay: "picture (image/png, 10 bytes)",
  });
  expect((await sandbox.call("read_file", { file_path: "page.pdf" })).llmContent).toMatchObject([
    { inlineData: { mimeType: "application/pdf" } },
  ]);
});

test("an image over 8 MB and a text over 10 MB are refused", async () => {
  const sandbox = new Sandbox({
    "big.gif": Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(8 * 1024 * 1024)]),
    "big.txt": Buffer.alloc(10 * 1024 * 1024 + 1, "a"),
  });
  expect(await sandbox.answer("read_file", { file_path: "big.gif" })).toContain(
    "the limit for images and PDF files is 8388608",
  );
  expect(await sandbox.answer("read_file", { file_path: "big.txt" })).toBe(
    "big.txt has 10485761 bytes, more than the limit of 10485760. Search it with grep_search, or read a part with run_shell_command.",
  );
});

test("what is not there, a folder, a pipe, a device's kind and other binary files are refused in words", async () => {
  const sandbox = new Sandbox({ "a.bin": Buffer.from([1, 0, 2]) });
  mkdirSync(sandbox.path("folder"));
  spawnSync("mkfifo", [sandbox.path("pipe")]);
  const answer = (file_path: string) => sandbox.answer("read_file", { file_path });
  expect(await answer("missing.txt")).toBe("missing.txt does not exist.");
  expect(await answer("folder")).toBe("folder is a folder, not a file; use list_directory to see its content.");
  expect(await answer("pipe")).toBe("pipe is not a regular file (a pipe, a socket or a device).");
  expect(await answer("a.bin")).toBe("a.bin is a binary file; only text, images and PDF files can be read.");
});

test("faulty arguments are named with what is expected, and unknown ones are let be", async () => {
  const sandbox = new Sandbox({ "a.txt": "one" });
  const fault = (input: Record<string, unknown>) => sandbox.validate("read_file", input);
  expect(await fault({})).toBe("`file_path` is missing: expected string.");
  expect(await fault({ file_path: "a.txt", limit: "all", offset: -1 })).toBe(
    "`offset`: Too small: expected number to be >=0.\n`limit`: Invalid input: expected number, received string.",
  );
  expect(await fault({ file_path: "a.txt", why: "to see" })).toBeUndefined();
});

test("an argument under another version's name is renamed for hooks, and refused where it was not", async () => {
  const sandbox = new Sandbox({ "a.txt": "one" });
  const { normalise } = toolNamed("read_file");
  expect(normalise?.({ absolute_path: "a.txt", limit: 1 })).toEqual({ file_path: "a.txt", limit: 1 });
  const both = { absolute_path: "b.txt", file_path: "a.txt" };
  expect(normalise?.(both)).toEqual(both);
  expect(await sandbox.validate("read_file", both)).toBe("`absolute_path` is called `file_path` here.");
});

test("a person who is asked is told which file", async () => {
  const sandbox = new Sandbox({ "a.txt": "one" });
  expect(await toolNamed("read_file").describe({ file_path: "./a.txt" }, sandbox.context())).toEqual({
    type: "info",
    title: "Read a.txt?",
    file_path: sandbox.path("a.txt"),
  });
});
