import { expect, test } from "vitest";
import { patchCalls, patchFor, patchInCommand } from "../../src/dialects/patchCalls.ts";

const PATCH = "*** Begin Patch\n*** Add File: a.txt\n+one\n*** End Patch";
const ADDED = { tool_name: "write_file", tool_input: { file_path: "a.txt", content: "one\n" } };

test("each file that a patch touches is a call that a guard on writing sees", () => {
  const text = [
    "*** Begin Patch",
    "*** Add File: new.ts",
    "+export {};",
    "*** Delete File: gone.ts",
    "*** Update File: edited.ts",
    "@@ class A",
    "-a",
    "+b",
    "@@",
    "-c",
    "*** Update File: from.ts",
    "*** Move to: to.ts",
    "@@",
    "-d",
    "+e",
    "*** Update File: old",
    "*** Move to: new",
    "*** End Patch",
  ].join("\n");
  expect(patchCalls(text)).toEqual([
    { tool_name: "write_file", tool_input: { file_path: "new.ts", content: "export {};\n" } },
    { tool_name: "write_file", tool_input: { file_path: "gone.ts", content: "", deleted: true } },
    { tool_name: "replace", tool_input: { file_path: "edited.ts", old_string: "a", new_string: "b" } },
    { tool_name: "replace", tool_input: { file_path: "edited.ts", old_string: "c", new_string: "" } },
    { tool_name: "write_file", tool_input: { file_path: "from.ts", content: "", deleted: true, moved_to: "to.ts" } },
    {
      tool_name: "replace",
      tool_input: { file_path: "to.ts", old_string: "d", new_string: "e", moved_from: "from.ts" },
    },
    { tool_name: "write_file", tool_input: { file_path: "old", content: "", deleted: true, moved_to: "new" } },
    { tool_name: "replace", tool_input: { file_path: "new", old_string: "", new_string: "", moved_from: "old" } },
  ]);
});

test.each([
  `apply_patch <<'EOF'\n${PATCH}\nEOF`,
  `apply_patch <<"EOF"\n${PATCH}\nEOF\n`,
  `applypatch <<EOF\n${PATCH}\nEOF`,
])("the files of a here-document: %j", (command) => {
  expect(patchInCommand(command)).toEqual([ADDED]);
});

test("paths are those below the folder that the command changes to", () => {
  const moved = PATCH.replace("Add File: a.txt\n+one", "Update File: a.txt\n*** Move to: /etc/b");
  expect(patchInCommand(`cd src/lib && apply_patch <<'EOF'\n${PATCH}\nEOF`)).toEqual([
    { ...ADDED, tool_input: { file_path: "src/lib/a.txt", content: "one\n" } },
  ]);
  expect(patchInCommand(`cd ../x && apply_patch <<'EOF'\n${moved}\nEOF`)).toEqual([
    {
      tool_name: "write_file",
      tool_input: { file_path: "../x/a.txt", content: "", deleted: true, moved_to: "/etc/b" },
    },
    {
      tool_name: "replace",
      tool_input: { file_path: "/etc/b", old_string: "", new_string: "", moved_from: "../x/a.txt" },
    },
  ]);
});

test.each([
  `apply_patch <<'EOF'\n${PATCH}\nEOF\nrm -rf /`,
  `echo hi; apply_patch <<'EOF'\n${PATCH}\nEOF`,
  `cat <<'EOF' | apply_patch\n${PATCH}\nEOF`,
  `apply_patch <<-'EOF'\n${PATCH}\nEOF`,
  `apply_patch <<EOF\n${PATCH.replace("one", "$(cat /etc/passwd)")}\nEOF`,
  `apply_patch <<'EOF'\n${PATCH}\nEOF\n${PATCH}\nEOF`,
  `cd - && apply_patch <<'EOF'\n${PATCH}\nEOF`,
  `cd "$HOME" && apply_patch <<'EOF'\n${PATCH}\nEOF`,
  `cd a || apply_patch <<'EOF'\n${PATCH}\nEOF`,
  `apply_patch <<'EOF'\nnot a patch\nEOF`,
  `apply_patch '${PATCH}'`,
  "apply_patch < fix.patch",
  "cat fix.patch | apply_patch",
  `python3 -c 'print("""${PATCH}""")'`,
])("a command whose files cannot be known: %j", (command) => {
  expect(patchInCommand(command)).toBe("unreadable");
});

test.each([
  "ls",
  "grep -rn apply_patch src",
  "man apply_patch",
  "./apply_patch.sh",
  "apply_patches --all",
  "echo '*** End Patch'",
])("a command that has nothing to do with patches: %j", (command) => {
  expect(patchInCommand(command)).toBe("none");
});

test("a long command is read in linear time", () => {
  const started = performance.now();
  for (const text of [";", "\n", " ", "; ", "cd a && "]) patchInCommand(text.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(5_000);
});

test("one call of ours as a patch", () => {
  expect(patchFor(ADDED)).toEqual({ command: PATCH });
  expect(patchFor({ tool_name: "write_file", tool_input: { file_path: "a", content: "", deleted: true } })).toEqual({
    command: "*** Begin Patch\n*** Delete File: a\n*** End Patch",
  });
  expect(
    patchFor({ tool_name: "replace", tool_input: { file_path: "a", old_string: "x\ny", new_string: "z" } }),
  ).toEqual({
    command: "*** Begin Patch\n*** Update File: a\n@@\n-x\n-y\n+z\n*** End Patch",
  });
});

test.each([
  { tool_name: "replace", tool_input: { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true } },
  { tool_name: "replace", tool_input: { file_path: "a", old_string: "x", new_string: "y", expected_replacements: 2 } },
  { tool_name: "replace", tool_input: { file_path: "a", old_string: "", new_string: "" } },
  { tool_name: "replace", tool_input: { file_path: "a", new_string: "y" } },
  { tool_name: "write_file", tool_input: { file_path: "a\nb", content: "" } },
  { tool_name: "write_file", tool_input: { content: "x" } },
  { tool_name: "read_file", tool_input: { file_path: "a" } },
])("a call that a patch cannot say: %j", (call) => {
  expect(patchFor(call)).toBeUndefined();
});
