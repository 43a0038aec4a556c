import { describe, expect, test } from "vitest";
import { decodeAnswer } from "../../src/dialects/decodeAnswer.ts";
import { DIALECTS } from "../../src/dialects/dialects.ts";
import { encodeInput } from "../../src/dialects/encodeInput.ts";
import { EVENTS } from "../../src/events/catalog.ts";
import { applyChanges, changesTo } from "../../src/hooks/run/rewrites.ts";
import { calling } from "./hostSamples.ts";

const { claude, codex, gemini } = DIALECTS;
const pre = (fields: object) => ({ hookSpecificOutput: { hookEventName: "PreToolUse", ...fields } });
const kept = { hookSpecificOutput: { hookEventName: "PreToolUse" } };

describe("a hook of Claude Code decides before a tool", () => {
  test.each([
    [pre({ permissionDecision: "deny", permissionDecisionReason: "no" }), { decision: "block", reason: "no", ...kept }],
    [
      pre({ permissionDecision: "ask", permissionDecisionReason: "sure?" }),
      { decision: "ask", reason: "sure?", ...kept },
    ],
    [pre({ permissionDecision: "defer" }), { decision: "ask", ...kept }],
    [pre({ permissionDecision: "allow" }), { decision: "allow", ...kept }],
    [
      { decision: "block", reason: "no" },
      { decision: "block", reason: "no" },
    ],
    [{ decision: "approve" }, { decision: "allow" }],
    [
      { continue: false, stopReason: "enough" },
      { continue: false, stopReason: "enough" },
    ],
    [
      { systemMessage: "hello", suppressOutput: true },
      { systemMessage: "hello", suppressOutput: true },
    ],
    [
      pre({ additionalContext: "it rains" }),
      { hookSpecificOutput: { hookEventName: "PreToolUse", additionalContext: "it rains" } },
    ],
    [{}, {}],
  ])("%j", (answer, expected) => {
    expect(decodeAnswer(claude, "PreToolUse", answer)).toEqual(expected);
  });

  test("the strictest of several decisions counts, and with its first reason", () => {
    const both = {
      decision: "approve",
      reason: "fine",
      ...pre({ permissionDecision: "deny", permissionDecisionReason: "no" }),
    };
    expect(decodeAnswer(claude, "PreToolUse", both)).toEqual({ decision: "block", reason: "fine", ...kept });
    const asked = { permissionDecision: "ask", ...pre({ permissionDecision: "allow" }) };
    expect(decodeAnswer(claude, "PreToolUse", asked)).toEqual({ decision: "ask", ...kept });
  });

  test("an unclear decision stays as it is, for the reader of answers, and never becomes an allow", () => {
    const unclear = { decision: "dney", ...pre({ permissionDecision: "allow" }) };
    expect(decodeAnswer(claude, "PreToolUse", unclear)).toEqual(unclear);
    expect(decodeAnswer(claude, "PreToolUse", { decision: 7 })).toEqual({ decision: 7 });
  });

  test("what we do not know is kept", () => {
    const odd = { decison: "deny", terminalSequence: "x", hookSpecificOutput: { nested: { decision: "deny" } } };
    expect(decodeAnswer(claude, "PreToolUse", odd)).toEqual(odd);
    expect(decodeAnswer(claude, "PreToolUse", { hookSpecificOutput: "deny" })).toEqual({ hookSpecificOutput: "deny" });
    expect(decodeAnswer(claude, "Brandnew", odd)).toEqual(odd);
  });
});

describe("a rewrite replaces all arguments, and ours are merged", () => {
  const fields = calling("claude", "PreToolUse", {
    tool_name: "Edit",
    tool_input: { file_path: "/a", old_string: "x", new_string: "y", replace_all: true },
  }).parts[0]?.fields;
  const seen = encodeInput(claude, "BeforeTool", fields ?? {})?.payload ?? {};

  test("arguments get our names, and those that the hook left out are removed", () => {
    const answer = pre({ updatedInput: { file_path: "/a", old_string: "x", new_string: "z" } });
    const decoded = decodeAnswer(claude, "PreToolUse", answer, seen);
    expect(decoded).toStrictEqual({
      hookSpecificOutput: {
        hookEventName: "PreToolUse",
        tool_input: { file_path: "/a", old_string: "x", new_string: "z", allow_multiple: undefined },
      },
    });
    const requested = { tool_input: decoded.hookSpecificOutput?.tool_input };
    const { tool_input } = applyChanges(fields ?? {}, changesTo(fields ?? {}, requested, EVENTS.BeforeTool));
    expect(JSON.parse(JSON.stringify(tool_input))).toEqual({ file_path: "/a", old_string: "x", new_string: "z" });
  });

  test("without the payload nobody knows whose arguments they are", () => {
    expect(decodeAnswer(claude, "PreToolUse", pre({ updatedInput: {} }))).toMatchObject({ decision: "block" });
  });

  test("Gemini's are merged like ours", () => {
    const input = { hookSpecificOutput: { tool_input: { command: "ls" } } };
    const payload = { tool_name: "run_shell_command", tool_input: { command: "rm", description: "x" } };
    expect(decodeAnswer(gemini, "BeforeTool", input, payload)).toEqual(input);
  });

  test("a patch is a rewrite of the file it was asked about", () => {
    const payload = encodeInput(codex, "BeforeTool", {
      tool_name: "write_file",
      tool_input: { file_path: "a", content: "x\n" },
    });
    expect(payload?.payload).toMatchObject({ tool_name: "apply_patch" });
    const command = "*** Begin Patch\n*** Add File: a\n+y\n*** End Patch";
    const answer = pre({ permissionDecision: "allow", updatedInput: { command } });
    expect(decodeAnswer(codex, "PreToolUse", answer, payload?.payload)).toEqual({
      decision: "allow",
      hookSpecificOutput: { hookEventName: "PreToolUse", tool_input: { file_path: "a", content: "y\n" } },
    });
  });

  test.each([
    { command: "*** Begin Patch\n*** Add File: a\n+y\n*** Add File: b\n+y\n*** End Patch" },
    { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch\nx" },
    { command: "*** Begin Patch\n*** Update File: a\n@@\n-x\n*** End Patch" },
    { command: "*** Begin Patch\n*** Delete File: a\n*** End Patch" },
    {},
    "ls",
  ])("one that cannot be applied blocks, rather than let through what it was to remove: %j", (updatedInput) => {
    const payload = encodeInput(codex, "BeforeTool", {
      tool_name: "write_file",
      tool_input: { file_path: "a", content: "x\n" },
    });
    const answer = pre({ permissionDecision: "allow", updatedInput });
    expect(decodeAnswer(codex, "PreToolUse", answer, payload?.payload)).toEqual({
      decision: "block",
      reason: "A hook changed the arguments in a way that cannot be applied.",
      ...kept,
    });
  });
});

test("after a tool, a replaced result and a block", () => {
  const output = (updatedToolOutput: unknown) => ({
    hookSpecificOutput: { hookEventName: "PostToolUse", updatedToolOutput },
  });
  const result = { tool_response: { llmContent: "[redacted]", returnDisplay: "[redacted]" } };
  for (const given of ["[redacted]", { stdout: "[redacted]", stderr: "" }]) {
    expect(decodeAnswer(claude, "PostToolUse", output(given))).toEqual({
      hookSpecificOutput: { hookEventName: "PostToolUse", ...result },
    });
  }
  expect(decodeAnswer(claude, "PostToolUse", { decision: "block", reason: "no", ...output(null) })).toEqual({
    decision: "block",
    reason: "no",
    hookSpecificOutput: { hookEventName: "PostToolUse" },
  });
});

test("a denied permission is a block; a given one decides nothing", () => {
  const answer = (behavior: string, message?: string) => ({
    hookSpecificOutput: { decision: { behavior, ...(message ? { message } : {}) } },
  });
  expect(decodeAnswer(claude, "PermissionRequest", answer("deny", "no"))).toEqual({
    decision: "block",
    reason: "no",
    ...answer("deny", "no"),
  });
  expect(decodeAnswer(codex, "PermissionRequest", answer("allow"))).toEqual(answer("allow"));
});

test("answers of Gemini CLI are ours already", () => {
  const model = { hookSpecificOutput: { llm_request: { model: "x" }, llm_response: { candidates: [] } } };
  expect(decodeAnswer(gemini, "BeforeModel", { decision: "deny", reason: "no", ...model })).toEqual({
    decision: "block",
    reason: "no",
    ...model,
  });
  const choice = { hookSpecificOutput: { toolConfig: { mode: "NONE" } } };
  expect(decodeAnswer(gemini, "BeforeToolSelection", choice)).toEqual(choice);
});
