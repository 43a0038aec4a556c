// The examples around tools: "Hooks System: Code Flow and Architecture" and "Hook System Flow & Architecture".
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ApprovalRequest } from "../../src/hooks/triggers/askPerson.ts";
import { executeToolWithHooks } from "../../src/hooks/triggers/executeTool.ts";
import { fireBeforeToolHook } from "../../src/hooks/triggers/tool.ts";
import { project, script, settings } from "./project.ts";

const command = (path: string, timeout?: number) => ({ type: "command", command: path, ...(timeout && { timeout }) });
const edited = async () => ({ llmContent: "Replaced 1 occurrence", returnDisplay: "Fixed" });

describe("a guard of one file", () => {
  const files = (timeout: number) => ({
    ".gemini/settings.json": settings("BeforeTool", {
      matcher: "EditTool",
      sequential: false,
      hooks: [command("./hooks/check_edit.sh", timeout)],
    }),
    // Beside the settings file, which is one of the two places where a relative command is looked up.
    ".gemini/hooks/check_edit.sh": script(`
      if (input.tool_input.file_path !== "/etc/hosts") return {};
      return { decision: "block", reason: "Not /etc/hosts", systemMessage: "a protected file" };`),
  });

  test("is registered with its source, matcher and definition", async () => {
    const { system } = await project(files(5000));
    expect(system.getRegistry().getHooksForEvent("BeforeTool")).toMatchObject([
      {
        config: { type: "command", command: "./hooks/check_edit.sh", timeout: 5000 },
        source: "project",
        eventName: "BeforeTool",
        matcher: "EditTool",
        sequential: false,
        enabled: true,
      },
    ]);
  });

  test("is planned for that tool only", async () => {
    const { system } = await project(files(5000));
    expect(system.getPlanner().createExecutionPlan("BeforeTool", { toolName: "EditTool" })).toMatchObject({
      hookConfigs: [{ type: "command", command: "./hooks/check_edit.sh", timeout: 5000 }],
      sequential: false,
    });
    expect(system.getPlanner().createExecutionPlan("BeforeTool", { toolName: "ReadFileTool" })).toBeNull();
  });

  test("keeps the tool from running, and the model is told why", async () => {
    const { config } = await project(files(60_000));
    const execute = () => expect.unreachable();
    const result = await executeToolWithHooks(config, "EditTool", { file_path: "/etc/hosts" }, execute);
    const told = "Tool call blocked by hook: Not /etc/hosts\n\n[System] a protected file";
    expect(result).toMatchObject({ llmContent: told, error: { message: told, type: "blocked_by_hook" } });
  });

  test("lets any other edit pass", async () => {
    const { config, dir } = await project(files(60_000));
    const result = await executeToolWithHooks(config, "EditTool", { file_path: join(dir, "config.json") }, edited);
    expect(result).toMatchObject({ llmContent: "Replaced 1 occurrence" });
    expect(result).not.toHaveProperty("error");
  });
});

describe("a validation with four outcomes", () => {
  const files = {
    ".hookline/settings.json": settings("BeforeTool", {
      matcher: "EditTool|WriteFileTool",
      sequential: true,
      hooks: [command(".gemini/hooks/validate_edit.sh", 30)],
    }),
    // In the project's root, the other place.
    ".gemini/hooks/validate_edit.sh": script(`
      const { file_path: file, new_string: text = "" } = input.tool_input;
      if (/^[/](etc|usr)[/]/.test(file)) return { decision: "deny", reason: "a system file" };
      const { existsSync, readFileSync } = require("node:fs");
      if (existsSync(file) && /password|secret|api_key/.test(readFileSync(file, "utf8")))
        return { decision: "ask", reason: "it may hold secrets" };
      if (text.includes("var ")) return { decision: "ask", reason: "var?", systemMessage: "prefer const" };
      return { decision: "allow", systemMessage: "valid" };`),
  };

  test.each([
    [{ file_path: "/etc/passwd" }, { decision: "block", reason: "a system file" }],
    [{ file_path: "/usr/bin/x" }, { decision: "block", reason: "a system file" }],
    [{ file_path: "keys.txt" }, { decision: "ask", reason: "it may hold secrets" }],
    [
      { file_path: "a.js", new_string: "var x" },
      { decision: "ask", reason: "var?", systemMessage: "prefer const" },
    ],
    [
      { file_path: "a.js", new_string: "const x" },
      { decision: "allow", systemMessage: "valid" },
    ],
  ])("%o", async (input, answer) => {
    const { config, dir } = await project(files);
    writeFileSync(join(dir, "keys.txt"), "password=1");
    expect(await fireBeforeToolHook(config, "EditTool", input)).toMatchObject(answer);
  });

  test("asks a person, and a no is an answer", async () => {
    const { config } = await project(files);
    const asked: unknown[] = [];
    const approve = async ({ reasons }: ApprovalRequest) => {
      asked.push(reasons);
      return { approved: false };
    };
    const input = { file_path: "a.js", new_string: "var x" };
    const result = await executeToolWithHooks(config, "EditTool", input, () => expect.unreachable(), { approve });
    expect(asked).toMatchObject([["var?"]]);
    expect(result.error).toMatchObject({ type: "not_approved" });
  });
});

test("what an audit hook says after a tool lands in the result's metadata", async () => {
  const { config } = await project({
    ".hookline/settings.json": settings("AfterTool", { matcher: "*", hooks: [command("./hooks/log_tool.sh")] }),
    "hooks/log_tool.sh": script(`
      if (input.tool_response.llmContent !== "Replaced 1 occurrence") throw new Error("no response");
      return { continue: true, systemMessage: "logged", hookSpecificOutput: { audit_id: "edit-1" } };`),
  });
  const result = await executeToolWithHooks(config, "EditTool", { file_path: "config.ts" }, edited);
  expect(result).toMatchObject({
    llmContent: "Replaced 1 occurrence\n\n[System] logged",
    metadata: { hookMessages: ["logged"], hookData: { audit_id: "edit-1" } },
  });
});

test("a hook receives the five base fields and those of its event", async () => {
  const { config, dir } = await project({
    ".hookline/settings.json": settings("BeforeTool", { hooks: [command("./hooks/echo.sh")] }),
    "hooks/echo.sh": script("return { systemMessage: JSON.stringify(input) };"),
  });
  const { systemMessage = "" } = (await fireBeforeToolHook(config, "EditTool", { file_path: "a" })) ?? {};
  expect(JSON.parse(systemMessage)).toEqual({
    session_id: config.getSessionId(),
    transcript_path: "",
    cwd: dir,
    hook_event_name: "BeforeTool",
    timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    tool_name: "replace",
    tool_input: { file_path: "a" },
    tool_call_id: expect.any(String),
  });
});
