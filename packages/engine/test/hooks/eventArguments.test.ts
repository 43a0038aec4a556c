import { type GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { describe, expect, test } from "vitest";
import { HookEventName } from "../../src/events/catalog.ts";
import { action, testSystem } from "../support/system.ts";

const REQUEST: GenerateContentParameters = {
  model: "gemini-x",
  contents: [{ role: "user", parts: [{ text: "hi" }] }],
  config: { temperature: 0.2 },
};

function response(text: string): GenerateContentResponse {
  const made = new GenerateContentResponse();
  made.candidates = [{ content: { role: "model", parts: [{ text }] } }];
  return made;
}

/** A system with one hook on the event, and what that hook was given. */
async function listening(eventName: keyof typeof HookEventName) {
  const seen: Record<string, unknown>[] = [];
  const { system, handler } = await testSystem();
  const listen = action("listen", (input) => {
    seen.push(input);
    return { decision: "allow" };
  });
  system.registerHook(listen, eventName);
  return { handler, seen };
}

describe("values in the order of the catalog row", () => {
  test("a tool's name and input", async () => {
    const { handler, seen } = await listening("BeforeTool");
    const { finalOutput } = await handler.fireBeforeToolEvent("write_file", { file_path: "a.txt" });
    expect(finalOutput?.decision).toBe("allow");
    expect(seen).toMatchObject([
      { hook_event_name: "BeforeTool", tool_name: "write_file", tool_input: { file_path: "a.txt" } },
    ]);
  });

  test("and its response, after the tool", async () => {
    const { handler, seen } = await listening("AfterTool");
    await handler.fireAfterToolEvent("write_file", { file_path: "a.txt" }, { llmContent: "ok", returnDisplay: "ok" });
    expect(seen).toMatchObject([{ tool_name: "write_file", tool_response: { llmContent: "ok" } }]);
  });

  test("a word in any case", async () => {
    const { handler, seen } = await listening("SessionEnd");
    await handler.fireSessionEndEvent("Exit");
    await handler.fireSessionEndEvent("logout");
    expect(seen).toMatchObject([{ reason: "exit" }, { reason: "logout" }]);
  });

  test.each([
    ["an object", { trigger: "Startup" } as const],
    ["a function", () => ({ trigger: "Startup" }) as const],
  ])("a session's start told by its trigger alone, in %s", async (_form, input) => {
    const { handler, seen } = await listening("SessionStart");
    await handler.fireSessionStartEvent(input);
    expect(seen).toMatchObject([{ source: "startup", trigger: "Startup" }]);
  });

  test("a trigger does not change a source", async () => {
    const { handler, seen } = await listening("SessionStart");
    await handler.fireSessionStartEvent({ source: "resume", trigger: "Startup" });
    expect(seen).toMatchObject([{ source: "resume", trigger: "Resume" }]);
  });

  test("a call without arguments has empty ones", async () => {
    const { handler, seen } = await listening("BeforeTool");
    await handler.fireBeforeToolEvent("list_directory");
    expect(seen).toMatchObject([{ tool_name: "list_directory", tool_input: {} }]);
  });

  test.each(["BeforeModel", "BeforeToolSelection"] as const)("a request of the SDK, for %s", async (eventName) => {
    const { handler, seen } = await listening(eventName);
    await handler[`fire${eventName}Event`](REQUEST);
    expect(seen).toMatchObject([
      { llm_request: { model: "gemini-x", messages: [{ role: "user", content: "hi" }], config: { temperature: 0.2 } } },
    ]);
  });

  test("and the SDK's response, after the model", async () => {
    const { handler, seen } = await listening("AfterModel");
    await handler.fireAfterModelEvent(REQUEST, response("hello"));
    expect(seen).toMatchObject([{ llm_request: { model: "gemini-x" }, llm_response: { text: "hello" } }]);
  });

  test("the other agent events", async () => {
    const { handler, seen } = await listening("AfterAgent");
    await handler.fireAfterAgentEvent("do it", "done", true);
    expect(seen).toMatchObject([{ prompt: "do it", prompt_response: "done", stop_hook_active: true }]);
  });

  test("options come last", async () => {
    const { handler, seen } = await listening("BeforeTool");
    const { finalOutput } = await handler.fireBeforeToolEvent("glob", {}, { signal: AbortSignal.abort() });
    expect(finalOutput?.shouldStopExecution()).toBe(true);
    expect(seen).toEqual([]);
  });
});

test("one object with the event's fields works as well, and so does a function that makes it", async () => {
  const { handler, seen } = await listening("BeforeTool");
  await handler.fireBeforeToolEvent({ tool_name: "glob", tool_input: { pattern: "*" } });
  await handler.fireBeforeToolEvent(() => ({ tool_name: "glob", tool_input: { pattern: "*" } }));
  expect(seen).toMatchObject([{ tool_name: "glob" }, { tool_input: { pattern: "*" } }]);
});

describe("a call that fits neither form throws, because its caller would go on unguarded", () => {
  const fire = async (eventName: keyof typeof HookEventName, ...args: unknown[]) => {
    const { handler } = await testSystem();
    return () => Reflect.apply(Reflect.get(handler, `fire${eventName}Event`), handler, args);
  };

  test.each([
    ["BeforeTool", [], "tool_name must be a string, got undefined"],
    ["BeforeTool", [{ toolName: "glob", toolInput: {} }], "tool_name must be a string, got object"],
    ["BeforeTool", ["glob", "a.txt"], "tool_input must be an object, got string"],
    ["BeforeTool", ["glob", {}, true], "the options must be an object, got boolean"],
    ["BeforeTool", ["glob", {}, {}, {}], "got 4 arguments"],
    ["AfterTool", ["glob", {}], "tool_response must be an object, got undefined"],
    ["BeforeModel", [{ contents: null }], "llm_request must be a request of the SDK, with contents, got object"],
    ["BeforeModel", [{ model: "m" }], "llm_request must be a request of the SDK, with contents, got object"],
    ["AfterModel", [REQUEST], "llm_response must be a response of the SDK, got undefined"],
    ["PreAbilityCall", ["edit_file"], "the input must be an object"],
  ] as const)("%s %j", async (eventName, args, wrong) => {
    expect(await fire(eventName, ...args)).toThrow(wrong);
  });

  test("the message names both forms", async () => {
    const message =
      "fireBeforeToolEvent takes the values (tool_name, tool_input), or one object with the event's fields";
    expect(await fire(HookEventName.BeforeTool, 7)).toThrow(message);
  });
});
