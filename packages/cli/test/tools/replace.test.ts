import { chmodSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { applyReplacement } from "../../src/tools/applyReplacement.ts";
import { Sandbox, toolNamed } from "./sandbox.ts";

const CASES = [
  ["one place", "a b c", "b", "x", "a x c"],
  ["text that means something to String.replace", "a b c", "b", "$& $1 $$", "a $& $1 $$ c"],
  [
    "plain line ends given for a file with Windows ends",
    "a\r\nb\r\nc\r\n",
    "a\nb\n",
    "a\nx\ny\n",
    "a\r\nx\r\ny\r\nc\r\n",
  ],
  ["one line given, several put into a file with Windows ends", "a\r\nb\r\n", "b", "x\ny", "a\r\nx\r\ny\r\n"],
  ["Windows ends given for a file with Windows ends", "a\r\nb\r\n", "a\r\nb", "a\r\nx", "a\r\nx\r\n"],
  ["a place with Windows ends in a file with mostly plain ends", "a\nb\nc\r\nd\n", "c\nd", "c\nx", "a\nb\nc\r\nx\n"],
  [
    "a place with plain ends in a file with mostly Windows ends",
    "a\r\nb\r\nc\nd\r\n",
    "c\nd",
    "c\nx",
    "a\r\nb\r\nc\nx\r\n",
  ],
  ["a last line without an end, given with one", "a\nb", "b\n", "x\n", "a\nx"],
  ["several lines at an end that is missing, in Windows ends", "a\r\nb\r\nc", "b\nc\n", "x\ny\n", "a\r\nx\r\ny"],
  ["a byte order mark, which stays", "\ufeffa", "a", "b", "\ufeffb"],
] as const;

test.each(CASES)("replaces %s", (_, text, oldText, newText, after) => {
  expect(applyReplacement(text, { oldText, newText, expected: 1 }, "a.txt")).toEqual({ text: after, count: 1 });
});

test("replace changes the file, keeps its mode, and shows what changed", async () => {
  const sandbox = new Sandbox({ "a.txt": "one\ntwo\n" });
  chmodSync(sandbox.path("a.txt"), 0o600);
  const result = await sandbox.call("replace", { file_path: "a.txt", old_string: "two", new_string: "2" });
  expect(result).toEqual({
    llmContent: "Replaced 1 occurrence in a.txt.",
    returnDisplay: "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  expect(sandbox.read("a.txt")).toBe("one\n2\n");
  expect(statSync(sandbox.path("a.txt")).mode & 0o777).toBe(0o600);
});

test("replace changes several places only when that many are expected", async () => {
  const sandbox = new Sandbox({ "a.txt": "x x x" });
  const input = { file_path: "a.txt", old_string: "x", new_string: "y" };
  expect(await sandbox.answer("replace", input)).toContain(
    "`old_string` was found 3 times in a.txt, but 1 was expected.",
  );
  expect(await sandbox.answer("replace", { ...input, expected_replacements: 2 })).toContain("but 2 were expected");
  expect(sandbox.read("a.txt")).toBe("x x x");
  expect(await sandbox.answer("replace", { ...input, expected_replacements: 3 })).toBe(
    "Replaced 3 occurrences in a.txt.",
  );
  expect(await sandbox.answer("replace", { ...input, old_string: "y", new_string: "z", allow_multiple: true })).toBe(
    "Replaced 3 occurrences in a.txt.",
  );
  expect(sandbox.read("a.txt")).toBe("z z z");
});

test("an edit that cannot be made is refused before anybody is asked", async () => {
  const sandbox = new Sandbox({ "a.txt": "one", "a.bin": Buffer.from([0]), "latin1.txt": Buffer.from([0x61, 0xe9]) });
  const fault = (file_path: string, old_string: string, new_string = "x") =>
    sandbox.validate("replace", { file_path, old_string, new_string });
  expect(await fault("a.txt", "two")).toContain("`old_string` was found 0 times in a.txt.");
  expect(await fault("a.txt", "one", "one")).toBe("`old_string` and `new_string` are the same; nothing would change.");
  expect(await fault("missing.txt", "one")).toBe("missing.txt does not exist.");
  expect(await fault("a.bin", "one")).toBe("a.bin is not a text file in UTF-8.");
  expect(await fault("latin1.txt", "a")).toBe("latin1.txt is not a text file in UTF-8.");
  expect(await fault("a.txt", "")).toContain("a.txt exists; an empty `old_string` only creates new files.");
});

test("an empty old_string creates a file that does not exist", async () => {
  const sandbox = new Sandbox();
  const input = { file_path: "new/a.txt", old_string: "", new_string: "one\n" };
  expect(await sandbox.answer("replace", input)).toBe("Created new/a.txt.");
  expect(sandbox.read("new/a.txt")).toBe("one\n");
});

test("a person who is asked sees the file and what changes in it", async () => {
  const sandbox = new Sandbox({ "src/a.txt": "one\n" });
  const input = { file_path: "src/a.txt", old_string: "one", new_string: "two" };
  expect(await toolNamed("replace").describe(input, sandbox.context())).toEqual({
    type: "edit",
    title: "Edit src/a.txt?",
    file_path: sandbox.path("src/a.txt"),
    diff: "--- src/a.txt\n+++ src/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n",
    originalContent: "one\n",
    newContent: "two\n",
  });
  expect(toolNamed("replace").writes?.(input, sandbox.context())).toEqual([sandbox.path("src/a.txt")]);
});
