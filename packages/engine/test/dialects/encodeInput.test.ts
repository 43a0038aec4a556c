import { expect, test } from "vitest";
import { DIALECTS, type DialectName } from "../../src/dialects/dialects.ts";
import { encodeInput } from "../../src/dialects/encodeInput.ts";
import { calling, sample } from "./hostSamples.ts";

const BASE = {
  session_id: "s",
  transcript_path: "",
  cwd: "/d",
  timestamp: "2026-11-15T22:19:43.376Z",
  tool_call_id: "c",
};
const call = (tool_name: string, tool_input: object, more: object = {}) => ({
  ...BASE,
  tool_name,
  tool_input,
  ...more,
});

test("a write in the words of each host", () => {
  const fields = call(
    "write_file",
    { file_path: "/a", content: "x\n" },
    { hook_event_name: "BeforeTool", host: { name: "gemini" } },
  );
  expect(encodeInput(DIALECTS.claude, "BeforeTool", fields)).toEqual({
    event: "PreToolUse",
    payload: {
      session_id: "s",
      transcript_path: null,
      cwd: "/d",
      hook_event_name: "PreToolUse",
      tool_name: "Write",
      tool_input: { file_path: "/a", content: "x\n" },
      tool_use_id: "c",
    },
  });
  expect(encodeInput(DIALECTS.codex, "BeforeTool", fields)).toEqual({
    event: "PreToolUse",
    payload: {
      session_id: "s",
      transcript_path: null,
      cwd: "/d",
      hook_event_name: "PreToolUse",
      tool_name: "apply_patch",
      tool_input: { command: "*** Begin Patch\n*** Add File: /a\n+x\n*** End Patch" },
      tool_use_id: "c",
    },
  });
  expect(encodeInput(DIALECTS.gemini, "BeforeTool", fields)).toEqual({
    event: "BeforeTool",
    payload: {
      session_id: "s",
      transcript_path: "",
      cwd: "/d",
      timestamp: BASE.timestamp,
      hook_event_name: "BeforeTool",
      tool_name: "write_file",
      tool_input: { file_path: "/a", content: "x\n" },
    },
  });
});

const toolIn = (host: DialectName, fields: object) => {
  const { tool_name, tool_input } = encodeInput(DIALECTS[host], "BeforeTool", { ...fields })?.payload ?? {};
  return [tool_name, tool_input];
};

test.each([
  [
    "claude",
    "replace",
    { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true },
    "Edit",
    { file_path: "a", old_string: "x", new_string: "y", replace_all: true },
  ],
  [
    "claude",
    "grep_search",
    { pattern: "x", dir_path: "d", include: "*.ts" },
    "Grep",
    { pattern: "x", path: "d", glob: "*.ts" },
  ],
  ["claude", "ShellTool", { command: "ls" }, "Bash", { command: "ls" }],
  ["claude", "my_tool", { path: "a" }, "my_tool", { path: "a" }],
  ["codex", "run_shell_command", { command: "ls" }, "Bash", { command: "ls" }],
  [
    "codex",
    "replace",
    { file_path: "a", old_string: "x", new_string: "y" },
    "apply_patch",
    { command: "*** Begin Patch\n*** Update File: a\n@@\n-x\n+y\n*** End Patch" },
  ],
  [
    "codex",
    "replace",
    { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true },
    "replace",
    { file_path: "a", old_string: "x", new_string: "y", allow_multiple: true },
  ],
  ["codex", "read_file", { file_path: "a" }, "read_file", { file_path: "a" }],
  ["gemini", "Edit", { file_path: "a" }, "replace", { file_path: "a" }],
] as const)("%s: %s %j", (host, ours, input, theirs, theirInput) => {
  expect(toolIn(host, call(ours, input))).toEqual([theirs, theirInput]);
});

test("a tool of an MCP server has the host's own name for it", () => {
  const fields = call(
    "mcp_github_issue",
    { title: "x" },
    { mcp_context: { server_name: "github", tool_name: "issue" } },
  );
  expect(toolIn("claude", fields)).toEqual(["mcp__github__issue", { title: "x" }]);
  expect(toolIn("codex", fields)).toEqual(["mcp__github__issue", { title: "x" }]);
  expect(encodeInput(DIALECTS.gemini, "BeforeTool", fields)?.payload).toMatchObject({
    tool_name: "mcp_github_issue",
    mcp_context: { server_name: "github", tool_name: "issue" },
  });
});

test("a failed tool has an event of its own in Claude Code", () => {
  const ran = call("run_shell_command", { command: "ls" }, { tool_response: { llmContent: "a", returnDisplay: "a" } });
  const failed = call(
    "read_file",
    { file_path: "a" },
    { tool_response: { llmContent: "no", error: { message: "no" } } },
  );
  expect(encodeInput(DIALECTS.claude, "AfterTool", ran)).toMatchObject({
    event: "PostToolUse",
    payload: { tool_response: { stdout: "a", stderr: "", interrupted: false, isImage: false } },
  });
  expect(encodeInput(DIALECTS.claude, "AfterTool", failed)).toMatchObject({
    event: "PostToolUseFailure",
    payload: { tool_name: "Read", error: "no" },
  });
  expect(encodeInput(DIALECTS.codex, "AfterTool", failed)).toMatchObject({
    event: "PostToolUse",
    payload: { tool_response: "no" },
  });
});

test.each([
  ["claude", "SessionStart", { source: "compress" }, { source: "compact" }],
  ["claude", "SessionEnd", { reason: "exit" }, { reason: "prompt_input_exit" }],
  ["claude", "SessionEnd", { reason: "timeout" }, { reason: "other" }],
  [
    "claude",
    "AfterAgent",
    { prompt_response: "", stop_hook_active: true },
    { last_assistant_message: null, stop_hook_active: true },
  ],
  ["codex", "SessionEnd", { reason: "exit" }, { reason: "other" }],
  ["codex", "PreCompress", { trigger: "manual" }, { hook_event_name: "PreCompact", trigger: "manual" }],
  ["gemini", "SessionEnd", { reason: "timeout" }, { reason: "other" }],
] as const)("%s %s %j", (host, ours, fields, expected) => {
  expect(encodeInput(DIALECTS[host], ours, { ...BASE, ...fields })?.payload).toMatchObject(expected);
});

test.each([
  ["claude", "BeforeModel"],
  ["claude", "PreAbilityCall"],
  ["codex", "AfterModel"],
  ["codex", "Notification"],
] as const)("%s has nothing like %s", (host, ours) => {
  expect(encodeInput(DIALECTS[host], ours, BASE)).toBeUndefined();
});

test.each([
  ["claude", ["PreToolUse", "SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "PreCompact"]],
  ["codex", ["PreToolUse", "PostToolUse", "SessionStart", "SessionEnd", "UserPromptSubmit", "Stop", "PreCompact"]],
  ["gemini", ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "BeforeModel", "AfterModel", "Notification"]],
] as const)("what %s really sent comes out again", (host, events) => {
  for (const event of events) {
    const { ours, parts } = calling(host, event);
    const { event: back, payload } = encodeInput(DIALECTS[host], ours, parts[0]?.fields ?? {}) ?? {};
    const { background_tasks: _, session_crons: __, ...sent } = sample(host, event);
    expect([back, payload]).toEqual([event, sent]);
  }
});
