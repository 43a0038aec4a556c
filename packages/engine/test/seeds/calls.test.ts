// The calls of components: "Code Flow", steps 2 to 7, and "Hook System Rewrite", 3 to 6.
import type { GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { describe, expect, test } from "vitest";
import {
  type AfterModelHookOutput,
  type AggregatedHookResult,
  BeforeModelHookOutput,
  type BeforeToolInput,
  type BeforeToolSelectionHookOutput,
  type Config,
  DefaultHookOutput,
  defaultHookTranslator,
  executeToolWithHooks,
  fireAfterModelHook,
  fireAfterToolHook,
  fireBeforeModelHook,
  fireBeforeToolHook,
  fireBeforeToolSelectionHook,
  HookAggregator,
  HookEventHandler,
  HookEventName,
  HookPlanner,
  HookRegistry,
  HookRunner,
  HookSystem,
  HookSystemNotInitializedError,
  type ToolResult,
} from "../../src/components/index.ts";
import { action, configOf, temporaryFolder, testSystem } from "../support/system.ts";

const REQUEST: GenerateContentParameters = {
  model: "gemini-x",
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  config: { temperature: 1, tools: [{ functionDeclarations: [{ name: "read_file" }] }] },
};
const response = (text: string) => defaultHookTranslator.fromHookLLMResponse({ text });

describe("plan, run, aggregate", () => {
  /** Step 4, put together by hand. */
  async function executeBeforeToolHooks(config: Config, toolName: string): Promise<DefaultHookOutput> {
    const registry = new HookRegistry(config);
    await registry.initialize();
    const plan = new HookPlanner(registry).createExecutionPlan(HookEventName.BeforeTool, { toolName });
    if (!plan || plan.hookConfigs.length === 0) return new DefaultHookOutput({});
    const input: BeforeToolInput = {
      session_id: config.getSessionId(),
      transcript_path: config.getTranscriptPath(),
      cwd: process.cwd(),
      hook_event_name: "BeforeTool",
      timestamp: new Date().toISOString(),
      tool_name: toolName,
      tool_input: { file_path: "/etc/hosts" },
    };
    const runner = new HookRunner(config);
    const results = plan.sequential
      ? await runner.executeHooksSequential(plan.hookConfigs, plan.eventName, input)
      : await runner.executeHooksParallel(plan.hookConfigs, plan.eventName, input);
    return new HookAggregator().aggregateResults(results, plan.eventName).finalOutput ?? new DefaultHookOutput({});
  }

  test.each([true, false])("sequential: %s", async (sequential) => {
    const hooks = [{ type: "command", command: 'echo \'{"decision":"block","reason":"protected"}\'' }];
    const { config } = await testSystem({ BeforeTool: [{ matcher: "EditTool", sequential, hooks }] });
    const output = await executeBeforeToolHooks(config, "EditTool");
    expect(output.isBlockingDecision()).toBe(true);
    expect(output.shouldStopExecution()).toBe(false);
    expect(output.getEffectiveReason()).toBe("protected");
    expect((await executeBeforeToolHooks(config, "ReadFileTool")).isBlockingDecision()).toBe(false);
  });
});

describe("HookSystem", () => {
  test("is made once by its config, started once, and refuses to be used before", async () => {
    const dir = temporaryFolder();
    let made: HookSystem | undefined;
    const config: Config = configOf(dir, {}, () => {
      made ??= new HookSystem(config, { homeDir: dir });
      return made;
    });
    const system = config.getHookSystem();
    expect(() => system?.getEventHandler()).toThrow(HookSystemNotInitializedError);
    expect(() => system?.getRegistry()).toThrow(HookSystemNotInitializedError);
    expect(system?.getStatus()).toMatchObject({ initialized: false, totalHooks: 0 });
    await Promise.all([system?.initialize(), system?.initialize()]);
    await system?.initialize();
    expect(config.getHookSystem()).toBe(system);
    expect(system?.getEventHandler()).toBe(system?.getEventHandler());
    expect(system?.getStatus()).toMatchObject({ initialized: true, totalHooks: 0 });
    await system?.dispose();
  });

  test("an event that no hook matches is an empty success", async () => {
    const { handler } = await testSystem();
    const result: AggregatedHookResult = await handler.fireBeforeToolEvent("read_file", {});
    expect(result).toMatchObject({ success: true, allOutputs: [], errors: [], totalDuration: 0 });
    expect(result.finalOutput).toBeUndefined();
  });

  test("hands out the event handler under its own name", async () => {
    const { system } = await testSystem();
    const handler: HookEventHandler = system.getEventHandler();
    expect(handler).toBeInstanceOf(HookEventHandler);
  });

  test("with hooks off, a handler made from its parts gives the empty result", async () => {
    const config: Config = {
      ...configOf(temporaryFolder(), {}, () => expect.unreachable()),
      getHookSystem: () => undefined,
    };
    const registry = new HookRegistry(config);
    await registry.initialize();
    const handler = new HookEventHandler(
      config,
      new HookPlanner(registry),
      new HookRunner(config),
      new HookAggregator(),
    );
    const result: AggregatedHookResult = await handler.fireBeforeModelEvent(REQUEST);
    expect(result).toMatchObject({ success: true, allOutputs: [], errors: [], totalDuration: 0 });
    expect(result.finalOutput).toBeUndefined();
  });

  test("with hooks off there is none, and triggers let everything pass", async () => {
    const dir = temporaryFolder();
    const off: Config = { ...configOf(dir, {}, () => expect.unreachable()), getHookSystem: () => undefined };
    expect(await fireBeforeToolHook(off, "read_file", {})).toBeUndefined();
    expect(await fireAfterToolHook(off, "read_file", {}, { llmContent: "x", returnDisplay: "x" })).toBeUndefined();
    expect(await fireBeforeModelHook(off, REQUEST)).toEqual({ blocked: false });
    const said = response("x");
    expect(await fireAfterModelHook(off, REQUEST, said)).toEqual({ response: said });
    expect(await fireBeforeToolSelectionHook(off, REQUEST)).toEqual({});
    const ran: ToolResult = { llmContent: "ran", returnDisplay: "ran" };
    expect(await executeToolWithHooks(off, "read_file", {}, async () => ran)).toBe(ran);
  });
});

describe("the event handler, with the SDK's types at its boundary", () => {
  test("a request goes to hooks in the stable form and comes back in the SDK's", async () => {
    const { system, handler } = await testSystem();
    const seen: unknown[] = [];
    const cool = action("cool", ({ llm_request }) => {
      seen.push(llm_request);
      return { hookSpecificOutput: { llm_request: { config: { temperature: 0 } } } };
    });
    system.registerHook(cool, "BeforeModel");
    const { finalOutput } = await handler.fireBeforeModelEvent(REQUEST);
    expect(seen).toMatchObject([{ model: "gemini-x", messages: [{ role: "user", content: "hi" }] }]);
    expect(finalOutput).toBeInstanceOf(BeforeModelHookOutput);
    expect(finalOutput?.getSyntheticResponse()).toBeUndefined();
    expect(finalOutput?.applyLLMRequestModifications(REQUEST)).toEqual({
      ...REQUEST,
      config: { ...REQUEST.config, temperature: 0 },
    });
  });

  test("so does a response", async () => {
    const { system, handler } = await testSystem();
    const redact = action("redact", () => ({ hookSpecificOutput: { llm_response: { text: "***" } } }));
    system.registerHook(redact, "AfterModel");
    const { finalOutput } = await handler.fireAfterModelEvent(REQUEST, response("secret"));
    const output: AfterModelHookOutput | undefined = finalOutput;
    const modified: GenerateContentResponse | undefined = output?.getModifiedResponse();
    expect(modified?.text).toBe("***");
  });

  test("and a choice of tools", async () => {
    const { system, handler } = await testSystem();
    system.registerHook(
      action("none", () => ({ toolConfig: { mode: "NONE" } })),
      "BeforeToolSelection",
    );
    const { finalOutput } = await handler.fireBeforeToolSelectionEvent(REQUEST);
    const output: BeforeToolSelectionHookOutput | undefined = finalOutput;
    const tools = REQUEST.config?.tools;
    expect(output?.applyToolConfigModifications({ toolConfig: undefined, tools })).toEqual({
      toolConfig: { functionCallingConfig: { mode: "NONE" } },
      tools,
    });
  });

  test("partial success is kept: one hook fails, the others count", async () => {
    const { system, handler } = await testSystem();
    const crash = action("crash", () => {
      throw new Error("boom");
    });
    system.registerHook(crash, "BeforeTool");
    system.registerHook(
      action("note", () => ({ systemMessage: "seen" })),
      "BeforeTool",
    );
    system.registerHook(
      action("guard", () => ({ decision: "block", reason: "no" })),
      "BeforeTool",
    );
    const { success, errors, finalOutput } = await handler.fireBeforeToolEvent("write_file", { file_path: "a" });
    expect({ success, failed: errors.map(({ hook }) => hook) }).toEqual({ success: false, failed: ["crash"] });
    expect(finalOutput?.getBlockingError()).toEqual({ blocked: true, reason: "no" });
    expect(finalOutput?.systemMessage).toBe("seen");
  });
});

test("a turn with the model, as a caller writes it", async () => {
  const { config, system } = await testSystem();
  system.registerHook(
    action("names", () => ({ toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } })),
    "BeforeToolSelection",
  );
  system.registerHook(
    action("model", () => ({ hookSpecificOutput: { llm_request: { model: "gemini-y" } } })),
    "BeforeModel",
  );
  system.registerHook(
    action("redact", () => ({ modifiedResponse: { text: "***" } })),
    "AfterModel",
  );
  let fullRequest = REQUEST;
  const { toolConfig } = await fireBeforeToolSelectionHook(config, fullRequest);
  if (toolConfig) fullRequest = { ...fullRequest, config: { ...fullRequest.config, toolConfig } };
  const before = await fireBeforeModelHook(config, fullRequest);
  expect(before.blocked).toBe(false);
  if (before.modifiedRequest) fullRequest = before.modifiedRequest;
  expect(fullRequest).toMatchObject({
    model: "gemini-y",
    config: { toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } } },
  });
  const after = await fireAfterModelHook(config, fullRequest, response("secret"));
  expect(after.response.text).toBe("***");
});

test("a tool call, inline and wrapped", async () => {
  const { config, system } = await testSystem();
  const note = { additionalContext: "checked" };
  system.registerHook(
    action("after", () => ({ suppressOutput: true, hookSpecificOutput: note })),
    "AfterTool",
  );
  const before = await fireBeforeToolHook(config, "write_file", { file_path: "a" });
  expect(before?.isBlockingDecision() ?? false).toBe(false);
  const result: ToolResult = { llmContent: "wrote a", returnDisplay: "wrote a" };
  const after = await fireAfterToolHook(config, "write_file", { file_path: "a" }, { ...result });
  expect(after?.getAdditionalContext()).toBe("checked");
  const wrapped = await executeToolWithHooks(config, "write_file", { file_path: "a" }, async () => result);
  expect(wrapped).toMatchObject({ suppressDisplay: true, returnDisplay: "wrote a" });
  expect(wrapped.llmContent).toContain("<hook_context>checked</hook_context>");
});
