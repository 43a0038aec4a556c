import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { executeToolWithHooks } from "../../../src/hooks/triggers/executeTool.ts";
import { fireBeforeToolHook } from "../../../src/hooks/triggers/tool.ts";
import { action, commandHook, temporaryFolder, testSystem } from "../../support/system.ts";

const tool = async () => ({ llmContent: "written", returnDisplay: "" });

test.each([
  ["write_file", { file_path: ".git/config" }],
  ["Write", { file_path: ".git/config" }],
  ["edit_file", { file_path: "sub/.mcp.json" }],
  ["NotebookEdit", { notebook_path: ".claude/x.ipynb" }],
  ["MultiEdit", { file_path: ".hookline/settings.json" }],
])("an embedder's %s of %j needs a person", async (name, input) => {
  const { config } = await testSystem();
  const [path] = Object.values(input);
  expect(await fireBeforeToolHook(config, name, input)).toMatchObject({
    decision: "ask",
    reason: expect.stringContaining(String(path)),
  });
  expect(await executeToolWithHooks(config, name, input, tool)).toMatchObject({
    error: { type: "not_approved", message: expect.stringContaining(String(path)) },
    blockedBy: ["self-protection"],
  });
});

test.each([
  ["write_file", { path: ".git/config" }, true],
  ["moveFile", { source: "a", destination: ".hookline/settings.json" }, true],
  ["delete_files", { paths: ["a", ".claude/settings.json"] }, true],
  ["edit_files", { edits: [{ file: { path: ".git/config" } }] }, true],
  ["edit_files", { edits: { ".git/config": "[core]" } }, true],
  ["write", { uri: "file:///tmp/%2Egit/config" }, true],
  ["write", { uri: "file://elsewhere/%" }, false],
  ["edit", { file: "a.txt", text: "see .git/config" }, false],
  ["read_text_file", { path: ".git/config" }, false],
])("a server's tool %s with %j: %s", async (tool_name, input, asks) => {
  const { config } = await testSystem();
  const output = await fireBeforeToolHook(config, `mcp_files_${tool_name}`, input, {
    mcpContext: { server_name: "files", tool_name },
  });
  expect(output?.isAskDecision() ?? false).toBe(asks);
});

test("with a person's yes it runs, and the person was told why they were asked", async () => {
  const { config } = await testSystem();
  const asked: unknown[] = [];
  const approve = (request: unknown) => asked.push(request) > 0;
  const done = await executeToolWithHooks(config, "write_file", { file_path: ".git/config" }, tool, { approve });
  expect(done.llmContent).toBe("written");
  expect(asked).toMatchObject([{ hooks: ["self-protection"], reasons: [".git/config can make git run programs."] }]);
});

test("reading, and writing anything else, is not asked about", async () => {
  const { config } = await testSystem();
  for (const [name, input] of [
    ["read_file", { file_path: ".git/config" }],
    ["write_file", { file_path: ".gitignore" }],
    ["write_file", {}],
    ["write_file", { file_path: 1 }],
    ["constructor", { file_path: ".git/config" }],
  ] as const) {
    expect(await fireBeforeToolHook(config, name, input)).toBeUndefined();
  }
});

test("a path that a hook rewrote is looked at as it will run, and a block stands above the question", async () => {
  const { config, system } = await testSystem();
  const input = { file_path: "a.txt" };
  const rewrites = action("rewrites", () => ({ hookSpecificOutput: { tool_input: { file_path: ".git/config" } } }));
  system.registerHook(rewrites, "BeforeTool");
  expect(await fireBeforeToolHook(config, "write_file", input)).toMatchObject({ decision: "ask" });
  system.registerHook(
    action("blocks", () => ({ decision: "block", reason: "no" })),
    "BeforeTool",
  );
  expect(await fireBeforeToolHook(config, "write_file", input)).toMatchObject({ decision: "block", reason: "no" });
});

test("what hooks start is found by its real path, by another hard link, and through '..' behind a link", async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "hooks/deep"), { recursive: true });
  writeFileSync(join(dir, "hooks/guard.sh"), "#!/bin/sh\n", { mode: 0o755 });
  linkSync(join(dir, "hooks/guard.sh"), join(dir, "innocent.txt"));
  symlinkSync("hooks/deep", join(dir, "link"));
  const { system } = await testSystem(commandHook("SessionEnd", join(dir, "hooks/guard.sh"), { name: "guard" }));
  const why = 'is what "guard" runs';
  expect(system.whyProtected(join(dir, "innocent.txt"))).toBe(why);
  expect(system.whyProtected(`${dir}/link/../guard.sh`)).toBe(why);
  expect(system.whyProtected(join(dir, "other.txt"))).toBeUndefined();
  expect(system.whyProtected(`${dir}/${"x".repeat(5_000)}`)).toBeUndefined();
});

test("the program can name further files", async () => {
  const dir = temporaryFolder();
  const { system } = await testSystem({}, { protects: [join(dir, "state")] });
  expect(system.whyProtected(join(dir, "state/journal.db"))).toBe("belongs to the program that runs this session");
});

test.each([".hookline/settings.json", ".gemini/settings.json", ".cache/hookline/build/run"])(
  "of the home folder, ~/%s is protected",
  async (path) => {
    const homeDir = temporaryFolder();
    const { system } = await testSystem({}, { homeDir });
    expect(system.whyProtected(join(homeDir, path))).toBe("decides what hooks do");
    expect(system.whyProtected(join(homeDir, ".cache/other"))).toBeUndefined();
  },
);
