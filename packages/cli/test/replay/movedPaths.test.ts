import { expect, test } from "vitest";
import { MovedPaths } from "../../src/replay/movedPaths.ts";

const paths = new MovedPaths("/home/me/project", "/tmp/copy/project");
const input = (fields: object) => paths.input({ cwd: "/home/me/project", ...fields });

test.each<[string, object, object]>([
  ["the folder itself", { cwd: "/home/me/project" }, { cwd: "/tmp/copy/project" }],
  ["a folder in it", { cwd: "/home/me/project/src" }, { cwd: "/tmp/copy/project/src" }],
  ["a folder that only begins alike", { dir_path: "/home/me/project-2/a" }, { dir_path: "/home/me/project-2/a" }],
  ["a relative path", { tool_input: { file_path: "src/a" } }, { tool_input: { file_path: "src/a" } }],
  [
    "a path inside of the arguments",
    { tool_input: { file_path: "/home/me/project/a b.txt" } },
    { tool_input: { file_path: "/tmp/copy/project/a b.txt" } },
  ],
  [
    "a list of paths",
    { changed_paths: ["/home/me/project/a", "/etc/passwd", 3] },
    { changed_paths: ["/tmp/copy/project/a", "/etc/passwd", 3] },
  ],
  [
    "text that is a path",
    { tool_input: { content: "/home/me/project/a", command: "/home/me/project/run" } },
    { tool_input: { content: "/home/me/project/a", command: "/home/me/project/run" } },
  ],
  ["a working directory elsewhere", { cwd: "/home/me/old" }, { cwd: "/tmp/copy/project" }],
  ["no working directory", { cwd: 7 }, { cwd: "/tmp/copy/project" }],
])("moved for the copy: %s", (_, given, expected) => {
  expect(input(given)).toEqual({ cwd: "/tmp/copy/project", ...expected });
});

test("a field called __proto__ is a field like any other", () => {
  const moved = input({ tool_input: JSON.parse('{"__proto__":{"file_path":"/home/me/project/a"}}') });
  expect(JSON.stringify(moved.tool_input)).toBe('{"__proto__":{"file_path":"/tmp/copy/project/a"}}');
});

test("what is said about the copy is said about the project, wherever it stands in a text", () => {
  const verdict = paths.verdict({
    decision: "block",
    reason: "no: /tmp/copy/project/$&/a and /tmp/copy/project",
    hooks: ["h"],
    rewrites: [{ path: ["x"], before: "/tmp/copy/project/a", after: { list: ["in /tmp/copy/project", 1] }, hook: "h" }],
    failures: [{ hook: "h", what: "/tmp/copy/project/h.sh failed" }],
  });
  expect(verdict).toEqual({
    decision: "block",
    reason: "no: /home/me/project/$&/a and /home/me/project",
    hooks: ["h"],
    rewrites: [{ path: ["x"], before: "/home/me/project/a", after: { list: ["in /home/me/project", 1] }, hook: "h" }],
    failures: [{ hook: "h", what: "/home/me/project/h.sh failed" }],
  });
});
