// "Hook System Rewrite", 6.1, option A: an agent that calls the triggers itself, and builds every result.
import { describe, expect, test } from "vitest";
import { type Config, fireAfterToolHook, fireBeforeToolHook, type ToolResult } from "../../src/components/index.ts";
import { action, testSystem } from "../support/system.ts";

describe("a tool call with its triggers inline", () => {
  const READ = { file_path: "a.txt" };

  async function callTool(config: Config, execute: () => Promise<ToolResult>): Promise<ToolResult> {
    const before = await fireBeforeToolHook(config, "read_file", READ);
    if (before?.isBlockingDecision()) {
      const { reason } = before.getBlockingError();
      return { llmContent: reason, returnDisplay: reason, error: { message: reason } };
    }
    if (before?.shouldStopExecution()) {
      const reason = before.getEffectiveReason();
      return { llmContent: reason, returnDisplay: reason, stop: { reason, event: "BeforeTool", hooks: [] } };
    }
    const toolResult = await execute();
    const after = await fireAfterToolHook(config, "read_file", READ, { ...toolResult });
    if (after?.shouldStopExecution()) {
      const reason = after.getEffectiveReason();
      return { ...toolResult, stop: { reason, event: "AfterTool", hooks: [] } };
    }
    const context = after?.getAdditionalContext();
    if (context) toolResult.llmContent += `\n\n${context}`;
    if (after?.systemMessage) {
      toolResult.llmContent += `\n\n[System] ${after.systemMessage}`;
      toolResult.metadata = toolResult.metadata || {};
      toolResult.metadata.hookMessages = [after.systemMessage];
    }
    if (after?.suppressOutput) toolResult.suppressDisplay = true;
    return toolResult;
  }

  const read = async (): Promise<ToolResult> => ({ llmContent: "hello", returnDisplay: "read a.txt" });

  test.each([
    ["a block", { decision: "block", reason: "private" }, { llmContent: "private", error: { message: "private" } }],
    ["a stop", { continue: false, stopReason: "late" }, { llmContent: "late", stop: { reason: "late" } }],
  ])("%s keeps the tool from running", async (_what, answer, result) => {
    const { config, system } = await testSystem();
    system.registerHook(
      action("guard", () => answer),
      "BeforeTool",
    );
    expect(await callTool(config, () => expect.unreachable())).toMatchObject(result);
  });

  test("what hooks say afterwards is added to the result", async () => {
    const { config, system } = await testSystem();
    const answer = {
      systemMessage: "seen",
      suppressOutput: true,
      hookSpecificOutput: { additionalContext: "It is old." },
    };
    system.registerHook(
      action("after", () => answer),
      "AfterTool",
    );
    expect(await callTool(config, read)).toEqual({
      llmContent: "hello\n\nIt is old.\n\n[System] seen",
      returnDisplay: "read a.txt",
      metadata: { hookMessages: ["seen"] },
      suppressDisplay: true,
    });
  });

  test("a stop afterwards keeps the result and ends the turn", async () => {
    const { config, system } = await testSystem();
    system.registerHook(
      action("after", () => ({ continue: false, stopReason: "enough" })),
      "AfterTool",
    );
    expect(await callTool(config, read)).toMatchObject({ llmContent: "hello", stop: { reason: "enough" } });
  });
});
