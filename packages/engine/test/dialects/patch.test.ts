import fc from "fast-check";
import { expect, test } from "vitest";
import { type FileChange, formatPatch, parsePatch } from "../../src/dialects/patch.ts";

const patch = (...lines: readonly string[]) => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");

test("a patch of every kind of change", () => {
  const text = patch(
    "*** Add File: docs/new.md",
    "+# New",
    "+",
    "+A line",
    "*** Update File: src/a.ts",
    "@@ function f() {",
    " before",
    "-old",
    "+new",
    "",
    "@@",
    "-last",
    "+end",
    "*** End of File",
    "*** Delete File: gone.txt",
    "*** Update File: from.ts",
    "*** Move to: to.ts",
    "@@",
    "+added",
    "*** Update File: plain.txt",
    " context",
    "-x",
  );
  expect(parsePatch(text)).toEqual([
    { kind: "add", path: "docs/new.md", content: "# New\n\nA line\n" },
    {
      kind: "update",
      path: "src/a.ts",
      hunks: [
        { oldText: "before\nold\n", newText: "before\nnew\n" },
        { oldText: "last", newText: "end" },
      ],
    },
    { kind: "delete", path: "gone.txt" },
    { kind: "update", path: "from.ts", movedTo: "to.ts", hunks: [{ oldText: "", newText: "added" }] },
    { kind: "update", path: "plain.txt", hunks: [{ oldText: "context\nx", newText: "context" }] },
  ]);
});

test("a file without content, a move without changes, and Windows line ends", () => {
  const text = patch("*** Add File: empty", "*** Update File: a", "*** Move to: b").replaceAll("\n", "\r\n");
  expect(parsePatch(`\n${text}\n`)).toEqual([
    { kind: "add", path: "empty", content: "" },
    { kind: "update", path: "a", movedTo: "b", hunks: [] },
  ]);
});

test.each([
  ["no patch at all", "rm -rf /"],
  ["no end", "*** Begin Patch\n*** Delete File: a"],
  ["nothing in it", "*** Begin Patch\n*** End Patch"],
  ["a here-document around it", `<<'EOF'\n${patch("*** Delete File: a")}\nEOF`],
  ["blanks before a header", patch("*** Add File: a", "+x", "  *** Delete File: b")],
  ["blanks after a path", patch("*** Delete File: a ")],
  ["blanks before a path", patch("*** Delete File:  a")],
  ["a path that is empty", patch("*** Delete File: ")],
  ["a NUL in a path", patch("*** Delete File: a\0b")],
  ["a header that does not exist", patch("*** Rename File: a")],
  ["an update without a change", patch("*** Update File: a")],
  ["a hunk without lines", patch("*** Update File: a", "@@", "*** Delete File: b")],
  ["a line without a mark", patch("*** Update File: a", "@@", "-x", "y")],
  ["an empty line before the first hunk", patch("*** Update File: a", "", "@@", "-x")],
  ["a second hunk without its marker", patch("*** Update File: a", "@@", "-x", "*** End of File", "-y")],
  ["an empty line between files", patch("*** Add File: a", "+x", "", "*** Add File: b", "+y")],
  ["a content line without a mark", patch("*** Add File: a", "x")],
  ["a move to nowhere", patch("*** Update File: a", "*** Move to: ", "@@", "-x")],
  ["a preamble", patch("*** Environment ID: 1", "*** Delete File: a")],
])("is not read: %s", (_, text) => {
  expect(parsePatch(text)).toBeUndefined();
});

test("a hunk's own lines may look like headers", () => {
  const text = patch("*** Update File: a", "@@", " *** Delete File: b", "-*** End Patch", "+*** Add File: c");
  expect(parsePatch(text)).toEqual([
    {
      kind: "update",
      path: "a",
      hunks: [{ oldText: "*** Delete File: b\n*** End Patch", newText: "*** Delete File: b\n*** Add File: c" }],
    },
  ]);
});

const line = fc.string({ unit: fc.constantFrom("a", "b", " ", "+", "-", "@", "*", "é"), maxLength: 8 });
const lines = fc.array(line, { minLength: 1, maxLength: 5 }).map((all) => all.join("\n"));
const path = fc.stringMatching(/^[\w./é-]{1,12}$/);
const change: fc.Arbitrary<FileChange> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), path, content: lines.map((text) => `${text}\n`) }),
  fc.record({ kind: fc.constant("delete" as const), path }),
  fc.record({
    kind: fc.constant("update" as const),
    path,
    hunks: fc
      .record({ oldText: lines, newText: lines })
      .filter(({ oldText, newText }) => oldText !== "" || newText !== "")
      .map((hunk) => [hunk]),
  }),
);

test("a formatted change is read back as it was", () => {
  fc.assert(
    fc.property(change, (drawn) => {
      const given: FileChange = JSON.parse(JSON.stringify(drawn));
      expect(parsePatch(formatPatch(given) ?? "")).toEqual([given]);
    }),
  );
});

test("text never crashes the parser, nor takes it long", () => {
  const word = fc.constantFrom(
    "*** Begin Patch",
    "*** End Patch",
    "*** Add File: a",
    "*** Update File: b",
    "@@",
    "+x",
    "-y",
    "",
    " ",
    "*** Move to: c",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), (all) => {
      const changes = parsePatch(all.join("\n"));
      expect(changes === undefined || changes.length > 0).toBe(true);
    }),
  );
  expect(parsePatch(`${" ".repeat(1_000_000)}x${"\n".repeat(1_000_000)}y`)).toBeUndefined();
});

test("a path that a line cannot hold has no patch", () => {
  expect(formatPatch({ kind: "delete", path: "a\n*** Delete File: b" })).toBeUndefined();
  expect(formatPatch({ kind: "delete", path: " a" })).toBeUndefined();
});

test("content gets the line break at its end that a patch always gives it, and no other change", () => {
  expect(parsePatch(formatPatch({ kind: "add", path: "a", content: "x" }) ?? "")).toEqual([
    { kind: "add", path: "a", content: "x\n" },
  ]);
  expect(formatPatch({ kind: "add", path: "a", content: "x\r\ny\n" })).toBeUndefined();
});
