// "Hook System Flow & Architecture": its settings files as files, with the scripts that they start.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { executeToolWithHooks } from "../../src/hooks/triggers/executeTool.ts";
import { fireBeforeToolHook } from "../../src/hooks/triggers/tool.ts";
import { project, script, settings } from "./project.ts";

describe("a file for two events", () => {
  const files = {
    ".hookline/settings.json": {
      tools: { enableHooks: true },
      hooks: {
        BeforeTool: [
          {
            matcher: "EditTool|WriteFileTool",
            sequential: true,
            hooks: [{ type: "command", command: "./hooks/check_syntax.sh", timeout: 30 }],
          },
        ],
        AfterTool: [{ matcher: "*", hooks: [{ type: "command", command: "./hooks/log_tool.sh" }] }],
      },
    },
    "hooks/check_syntax.sh": script(`return { decision: "allow", systemMessage: "checked " + input.tool_name };`),
    "hooks/log_tool.sh": script(`return { continue: true, systemMessage: "logged " + input.tool_name };`),
  };

  test("is registered as two entries", async () => {
    const { system } = await project(files);
    const entries = system.getRegistry().getAllHooks();
    expect(entries).toMatchObject([
      {
        config: { type: "command", command: "./hooks/check_syntax.sh", timeout: 30, timeoutMs: 30_000 },
        source: "project",
        eventName: "BeforeTool",
        matcher: "EditTool|WriteFileTool",
        sequential: true,
        enabled: true,
      },
      {
        config: { type: "command", command: "./hooks/log_tool.sh" },
        source: "project",
        eventName: "AfterTool",
        matcher: "*",
        sequential: false,
        enabled: true,
      },
    ]);
    expect(entries[1]?.config.timeout).toBeUndefined();
  });

  test("runs the first for its tools only, the second for every tool", async () => {
    const { config } = await project(files);
    const said = async (toolName: string) => {
      const execute = async () => ({ llmContent: "done", returnDisplay: "done" });
      return (await executeToolWithHooks(config, toolName, { file_path: "a.txt" }, execute)).llmContent;
    };
    expect(await said("EditTool")).toBe("done\n\n[System] checked EditTool\n\n[System] logged replace");
    expect(await said("WriteFileTool")).toBe("done\n\n[System] checked WriteFileTool\n\n[System] logged write_file");
    expect(await said("ReadFileTool")).toBe("done\n\n[System] logged read_file");
  });
});

test("an early allow for other tools, a denial, and a question where the check of the syntax fails", async () => {
  const { config, dir } = await project({
    ".hookline/settings.json": settings("BeforeTool", {
      hooks: [{ type: "command", command: "./hooks/validate_edit.sh" }],
    }),
    // It matches every tool, so a tool has its own name.
    "hooks/validate_edit.sh": `#!/usr/bin/env node
const input = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
const answer = (fields) => { console.log(JSON.stringify(fields)); process.exit(0); };
if (input.tool_name !== "replace") answer({ decision: "allow" });
const file = input.tool_input.file_path;
if (file.startsWith("/etc/")) answer({ decision: "deny", reason: "Not in /etc" });
const { status } = require("node:child_process").spawnSync("./hooks/check_syntax", [file], { stdio: "ignore" });
if (status !== 0) answer({ decision: "ask", reason: "The syntax is wrong. Edit it anyway?" });
answer({ decision: "allow", systemMessage: "valid" });
`,
    "hooks/check_syntax": '#!/bin/sh\nexec node --check "$1"\n',
  });
  writeFileSync(join(dir, "right.js"), "const a = 1;\n");
  writeFileSync(join(dir, "wrong.js"), "const = ;\n");
  const fire = (toolName: string, file_path: string) => fireBeforeToolHook(config, toolName, { file_path });
  expect(await fire("ReadFileTool", "/etc/passwd")).toEqual({ decision: "allow" });
  expect(await fire("EditTool", "/etc/passwd")).toMatchObject({ decision: "block", reason: "Not in /etc" });
  expect(await fire("EditTool", join(dir, "wrong.js"))).toMatchObject({
    decision: "ask",
    reason: "The syntax is wrong. Edit it anyway?",
  });
  expect(await fire("EditTool", join(dir, "right.js"))).toMatchObject({ decision: "allow", systemMessage: "valid" });
});

describe("the complete example, in the file that the Gemini CLI reads", () => {
  const files = (timeout: number) => ({
    ".gemini/settings.json": settings("BeforeTool", {
      matcher: "EditTool|WriteFileTool",
      sequential: true,
      hooks: [{ type: "command", command: ".gemini/hooks/validate_edit.sh", timeout }],
    }),
    ".gemini/hooks/validate_edit.sh": script(`
      const { file_path: file = "", new_string: text = "" } = input.tool_input;
      if (/^[/](etc|usr)[/]/.test(file)) return { decision: "deny", reason: "a system file" };
      if (text.includes("var ")) return { decision: "ask", reason: "var?", systemMessage: "prefer const" };
      return { decision: "allow", systemMessage: "valid" };`),
  });

  test("has a timeout of 30 ms, as that program reads 30, and that is said", async () => {
    const { system } = await project(files(30));
    expect(system.getRegistry().getHooksForEvent("BeforeTool")).toMatchObject([
      { config: { command: ".gemini/hooks/validate_edit.sh", timeout: 30, timeoutMs: 30, family: "gemini" } },
    ]);
    expect(system.getStatus().problems).toMatchObject([{ severity: "warning", what: expect.stringContaining("30") }]);
  });

  test.each([
    [{ file_path: "/etc/passwd" }, { decision: "block", reason: "a system file" }],
    [
      { file_path: "utils.js", old_string: "const x", new_string: "var x" },
      { decision: "ask", reason: "var?", systemMessage: "prefer const" },
    ],
    [
      { file_path: "utils.js", old_string: "var x = 1;", new_string: "const x = 1;" },
      { decision: "allow", systemMessage: "valid" },
    ],
  ])("works with a timeout in milliseconds: %o", async (input, answer) => {
    const { config } = await project(files(30_000));
    expect(await fireBeforeToolHook(config, "EditTool", input)).toMatchObject(answer);
  });

  test("keeps an edit of a system file from happening, and the model is told why", async () => {
    const { config } = await project(files(30_000));
    const call = { file_path: "/etc/passwd", old_string: "a", new_string: "b" };
    const result = await executeToolWithHooks(config, "EditTool", call, () => expect.unreachable());
    expect(result.error?.message).toBe("Tool call blocked by hook: a system file");
  });
});
