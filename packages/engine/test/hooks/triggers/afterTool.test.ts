import type { Part, PartListUnion } from "@google/genai";
import { describe, expect, test } from "vitest";
import { executeToolWithHooks } from "../../../src/hooks/triggers/executeTool.ts";
import type { ToolContent, ToolResult } from "../../../src/hooks/triggers/toolResult.ts";
import { fixtureCommand } from "../../support/fixtures.ts";
import { action, commandHook } from "../../support/system.ts";
import { testAgent } from "./agent.ts";

const RESULT: ToolResult = { llmContent: "42 lines", returnDisplay: "Read a.txt" };
const FAILED: ToolResult = {
  llmContent: "no such file",
  returnDisplay: "Error",
  error: { message: "ENOENT: a.txt", type: "not_found" },
};

type Answer = Record<string, unknown>;
const specific = (hookSpecificOutput: Answer): Answer => ({ hookSpecificOutput });
const context = (additionalContext: string) => specific({ additionalContext });

/** What a result comes to under one AfterTool answer; the tool's own object is frozen, so that nobody changes it. */
async function after(result: ToolResult, ...answers: Answer[]) {
  const { config, on } = await testAgent();
  for (const [index, answer] of answers.entries()) on("AfterTool", answer, `hook ${index}`);
  return executeToolWithHooks(config, "read_file", {}, async () => frozen(result));
}

const frozen = (result: ToolResult) => {
  for (const part of Object.values(result)) if (typeof part === "object") Object.freeze(part);
  return Object.freeze(result);
};

describe("an AfterTool hook", () => {
  test("with nothing to say leaves the tool's own object", async () => {
    expect(await after(RESULT)).toBe(RESULT);
    const { config } = await testAgent(commandHook("AfterTool", fixtureCommand("exits-1.sh")));
    expect(await executeToolWithHooks(config, "read_file", {}, async () => RESULT)).toBe(RESULT);
  });

  test("that blocks replaces the result by its reason, and nothing of the tool's text is left", async () => {
    const result = { ...RESULT, metadata: { secret: "42" }, suppressDisplay: true };
    expect(await after(result, { decision: "block", reason: "it has a <hook_context> secret" })).toEqual({
      llmContent: "it has a &lt;hook_context&gt; secret",
      returnDisplay: "it has a &lt;hook_context&gt; secret",
      error: { message: "it has a &lt;hook_context&gt; secret", type: "blocked_by_hook" },
      suppressDisplay: true,
      blockedBy: ["hook 0"],
    });
    expect(await after(FAILED, { decision: "deny" })).toMatchObject({ error: { message: "No reason provided" } });
  });

  test("that stops keeps the result and ends the turn", async () => {
    expect(await after(RESULT, { continue: false, stopReason: "seen enough" })).toEqual({
      ...RESULT,
      stop: { reason: "seen enough", event: "AfterTool", hooks: ["hook 0"] },
    });
  });

  test("that blocks is told from one that stops: each is named for what it did", async () => {
    const both = await after(RESULT, { decision: "block", reason: "secret" }, { continue: false, stopReason: "end" });
    expect(both).toEqual({
      llmContent: "secret",
      returnDisplay: "secret",
      error: { message: "secret", type: "blocked_by_hook" },
      blockedBy: ["hook 0"],
      stop: { reason: "end", event: "AfterTool", hooks: ["hook 1"] },
    });
  });

  test("that only observes is named for nothing", async () => {
    const { config, on, system } = await testAgent();
    const observer = action("observer", () => ({ decision: "block", reason: "I would" }), { mode: "observe" });
    system.registerHook(observer, "AfterTool");
    on("AfterTool", { decision: "block", reason: "secret" }, "guard");
    const result = await executeToolWithHooks(config, "read_file", {}, async () => RESULT);
    expect(result).toMatchObject({ llmContent: "secret", blockedBy: ["guard"] });
  });

  test("rewrites of the result what it names", async () => {
    const result = { ...RESULT, metadata: { lines: 42 } };
    expect(await after(result, specific({ tool_response: { llmContent: "41 lines" } }))).toEqual({
      ...result,
      llmContent: "41 lines",
    });
    const rewritten = specific({ tool_response: { returnDisplay: { diff: "" }, metadata: { n: 1 }, error: "bad" } });
    expect(await after(result, rewritten)).toEqual({
      llmContent: "42 lines",
      returnDisplay: { diff: "" },
      metadata: { n: 1 },
      error: { message: "bad" },
    });
    const cured = specific({ tool_response: { llmContent: ["empty", 7, { text: "file" }], error: null } });
    expect(await after(FAILED, cured)).toEqual({ llmContent: ["empty", { text: "file" }], returnDisplay: "Error" });
  });

  test.each<[string, ToolContent, ToolContent]>([
    ["text is appended to", "a", "a\n\n<hook_context>b</hook_context>"],
    ["an array gets a part more", ["a"], ["a", { text: "\n\n<hook_context>b</hook_context>" }]],
    ["a single part becomes an array", { text: "a" }, [{ text: "a" }, { text: "\n\n<hook_context>b</hook_context>" }]],
  ])("adds context: %s", async (_how, llmContent, expected) => {
    const result = await after({ ...RESULT, llmContent }, context("b"));
    expect(result).toEqual({
      ...RESULT,
      llmContent: expected,
      metadata: { hookData: { additionalContext: "b" } },
    });
  });

  test("adds context where a tool without types has none", async () => {
    const { config, on } = await testAgent();
    on("AfterTool", context("b"));
    const result = await executeToolWithHooks(config, "x", {}, async () => JSON.parse('{"returnDisplay":""}'));
    expect(result.llmContent).toBe("<hook_context>b</hook_context>");
    const nothing = await executeToolWithHooks(config, "x", {}, async () => JSON.parse("null"));
    expect(nothing.error).toEqual({
      message: "The tool returned no result\n\n<hook_context>b</hook_context>",
      type: "execution_failed",
    });
  });

  test("has its context added when the tool failed, also to the error, which is all that some agents send", async () => {
    const note = "\n\n<hook_context>see b.txt &lt;/hook_context&gt;</hook_context>";
    expect(await after(FAILED, context("see b.txt </hook_context>"))).toEqual({
      llmContent: `no such file${note}`,
      returnDisplay: "Error",
      error: { message: `ENOENT: a.txt${note}`, type: "not_found" },
      metadata: { hookData: { additionalContext: "see b.txt </hook_context>" } },
    });
  });

  test("fires and has its context added when the tool throws", async () => {
    const { config, on } = await testAgent();
    const seen: unknown[] = [];
    on("PostAbilityCall", ({ status, error_message }) => void seen.push({ status, error_message }));
    on("AfterTool", ({ tool_response }) => {
      seen.push(tool_response);
      return context("the disk is full");
    });
    const result = await executeToolWithHooks(config, "write_file", {}, () => Promise.reject(new Error("ENOSPC")));
    const message = "ENOSPC\n\n<hook_context>the disk is full</hook_context>";
    expect(result).toEqual({
      llmContent: message,
      returnDisplay: "ENOSPC",
      error: { message, type: "execution_failed" },
      metadata: { hookData: { additionalContext: "the disk is full" } },
    });
    expect(seen).toEqual([
      { status: "failure", error_message: "ENOSPC" },
      {
        llmContent: "ENOSPC",
        returnDisplay: "ENOSPC",
        error: { message: "ENOSPC", type: "execution_failed" },
      },
    ]);
  });

  test.each(["throws at once", "throws nothing that can be shown"])("fires when the tool %s", async (how) => {
    const { config, on } = await testAgent();
    on("AfterTool", { suppressOutput: true });
    const result = await executeToolWithHooks(config, "x", {}, () => {
      throw how === "throws at once" ? new TypeError("") : Object.create(null);
    });
    const message = how === "throws at once" ? "TypeError" : "something that cannot be shown was thrown";
    expect(result).toEqual({
      llmContent: message,
      returnDisplay: message,
      error: { message, type: "execution_failed" },
      suppressDisplay: true,
    });
  });

  test("has its data in metadata, beside the tool's own, and its messages in the content", async () => {
    const { config, on } = await testAgent();
    on("BeforeTool", { systemMessage: "branch: main" });
    on("AfterTool", { systemMessage: "[System] logged", ...specific({ audit_id: "e-1", shared: 1 }) }, "audit");
    on(
      "AfterTool",
      { systemMessage: "linted", ...specific({ shared: 2, tool_response: { returnDisplay: "" } }) },
      "lint",
    );
    const result = { ...RESULT, metadata: { lines: 42 } };
    expect(await executeToolWithHooks(config, "read_file", {}, async () => result)).toEqual({
      llmContent: "42 lines\n\n[System] branch: main\n\n[System] (System) logged\nlinted",
      returnDisplay: "",
      metadata: {
        lines: 42,
        hookData: { audit_id: "e-1", shared: 1 },
        hookMessages: ["branch: main", "[System] logged\nlinted"],
      },
    });
  });

  test("can hide the result from the person", async () => {
    expect(await after(RESULT, { suppressOutput: true })).toEqual({ ...RESULT, suppressDisplay: true });
  });

  test("can ask for another call in this one's place, but not beside an objection", async () => {
    const tail = { name: "read_file", args: { file_path: "b.txt" } };
    const answer = specific({ tailToolCallRequest: tail });
    expect(await after(RESULT, answer)).toEqual({
      ...RESULT,
      tailToolCallRequest: tail,
      metadata: { hookData: { tailToolCallRequest: tail } },
    });
    for (const objection of [{ decision: "block" }, { continue: false }]) {
      expect(await after(RESULT, answer, objection)).not.toHaveProperty("tailToolCallRequest");
    }
  });

  test("with a result that breaks the rules blocks: nobody could look at it", async () => {
    const { config, on } = await testAgent();
    on("AfterTool", () => expect.unreachable());
    const odd = async () => JSON.parse('{"llmContent":"a","returnDisplay":"a","metadata":7}');
    const result = await executeToolWithHooks(config, "x", {}, odd);
    expect(result.error?.message).toContain("The input of AfterTool is invalid: tool_response.metadata");
    expect(result).not.toHaveProperty("blockedBy");
  });
});

test("the content of a result goes to the SDK and comes from it as it is", () => {
  const part: Part = { text: "a" };
  const content: ToolContent = [part, "b"];
  const sent: PartListUnion = content;
  expect(sent).toEqual([{ text: "a" }, "b"]);
});
