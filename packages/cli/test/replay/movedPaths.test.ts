import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { MovedPaths } from "../../src/replay/movedPaths.ts";

const PROJECT = "/home/me/project";
const COPY = "/tmp/copy/project";
const paths = new MovedPaths({ project: PROJECT, hookSet: PROJECT, copy: COPY });
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
    "a path in a field of any name",
    { tool_input: { target: "/home/me/project/a", deep: [{ to: "/home/me/project/b/" }] } },
    { tool_input: { target: "/tmp/copy/project/a", deep: [{ to: "/tmp/copy/project/b/" }] } },
  ],
  [
    "text that mentions a path",
    {
      tool_input: { content: "see /home/me/project/a", command: "/home/me/project/run -a", more: "/home/me/project\n" },
    },
    {
      tool_input: { content: "see /home/me/project/a", command: "/home/me/project/run -a", more: "/home/me/project\n" },
    },
  ],
  ["a roundabout path", { file_path: "/home/me/other/../project/a" }, { file_path: "/tmp/copy/project/a" }],
  ["a path that leaves the project", { file_path: "/home/me/project/../a" }, { file_path: "/home/me/project/../a" }],
  ["what is in the copy", { file_path: "/tmp/copy/project/a" }, { file_path: "/tmp/copy/project/a" }],
  ["a working directory elsewhere", { cwd: "/home/me/old" }, { cwd: "/tmp/copy/project" }],
  ["no working directory", { cwd: 7 }, { cwd: "/tmp/copy/project" }],
])("moved for the copy: %s", (_, given, expected) => {
  expect(input(given)).toEqual({ cwd: "/tmp/copy/project", ...expected });
});

test("moved for the copy: a path through a link to the project, also to what is not there yet", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-moved-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = join(folder, "project");
  mkdirSync(join(project, "src"), { recursive: true });
  symlinkSync(project, join(folder, "link"));
  const linked = new MovedPaths({ project, hookSet: project, copy: COPY });
  const moved = linked.input({ cwd: join(folder, "link"), file_path: join(folder, "link/src/new/a.txt") });
  expect(moved).toEqual({ cwd: COPY, file_path: join(COPY, "src/new/a.txt") });
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

test("how the hooks of another folder fail is said about that folder", () => {
  const against = new MovedPaths({ project: PROJECT, hookSet: "/home/me/next", copy: COPY });
  expect(against.notes([{ hook: "h", what: "no /tmp/copy/project/h.sh" }])).toEqual([
    { hook: "h", what: "no /home/me/next/h.sh" },
  ]);
  expect(against.input({ cwd: "/home/me/next/src", file_path: "/home/me/project/a" })).toEqual({
    cwd: "/tmp/copy/project/src",
    file_path: "/tmp/copy/project/a",
  });
});
