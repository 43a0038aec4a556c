import { FunctionCallingConfigMode, type GenerateContentParameters, GenerateContentResponse } from "@google/genai";
import { describe, expect, test } from "vitest";
import { createHookOutput, DefaultHookOutput } from "../../../src/hooks/answer/hookOutput.ts";
import { defaultHookTranslator } from "../../../src/hooks/hookTranslator.ts";
import { fireBeforeToolSelectionHook } from "../../../src/hooks/triggers/index.ts";
import { action, testSystem } from "../../support/system.ts";

const REQUEST: GenerateContentParameters = {
  model: "gemini-x",
  contents: [{ role: "user", parts: [{ text: "hi" }, { inlineData: { data: "AAAA", mimeType: "image/png" } }] }],
  config: { temperature: 0.9, topP: 0.5, systemInstruction: "be kind" },
};
const TOOLS = [{ functionDeclarations: [{ name: "read_file" }, { name: "write_file" }] }];

describe("BeforeModelHookOutput", () => {
  test("changes a request of the SDK, and only what hooks named", () => {
    const specific = { llm_request: { model: "gemini-y", config: { temperature: 0 } } };
    const output = createHookOutput("BeforeModel", { hookSpecificOutput: specific });
    expect(output.applyLLMRequestModifications(REQUEST)).toEqual({
      ...REQUEST,
      model: "gemini-y",
      config: { ...REQUEST.config, temperature: 0 },
    });
  });

  test("reads the SDK's own shape of a request, and the short form of a response", () => {
    const specific = {
      llm_request: { contents: "be brief", generationConfig: { temperature: 0 } },
      llm_response: { text: "from the cache" },
    };
    const output = createHookOutput("BeforeModel", { hookSpecificOutput: specific });
    expect(output.applyLLMRequestModifications(REQUEST)).toEqual({
      ...REQUEST,
      contents: [{ role: "user", parts: [{ text: "be brief" }] }],
      config: { ...REQUEST.config, temperature: 0 },
    });
    expect(output.getSyntheticResponse()?.text).toBe("from the cache");
  });

  test("without changes it returns the very request", () => {
    expect(createHookOutput("BeforeModel", {}).applyLLMRequestModifications(REQUEST)).toBe(REQUEST);
  });

  test("a synthetic response has the SDK's getters", () => {
    const llm_response = {
      candidates: [{ content: { role: "model", parts: ["from the cache"] }, finishReason: "STOP" }],
    };
    const response = createHookOutput("BeforeModel", { hookSpecificOutput: { llm_response } }).getSyntheticResponse();
    expect(response?.text).toBe("from the cache");
    expect(response?.candidates?.[0]?.content?.parts).toEqual([{ text: "from the cache" }]);
    expect(createHookOutput("BeforeModel", {}).getSyntheticResponse()).toBeUndefined();
  });
});

describe("AfterModelHookOutput", () => {
  const llm_response = { text: "*** said so", candidates: [{ content: { role: "model", parts: ["*** said so"] } }] };
  const output = createHookOutput("AfterModel", { hookSpecificOutput: { llm_response } });

  test("a changed response is one of the SDK", () => {
    expect(output.getModifiedResponse()?.text).toBe("*** said so");
    expect(createHookOutput("AfterModel", {}).getModifiedResponse()).toBeUndefined();
  });

  test("a text alone keeps the calls of the model's response", () => {
    const original = new GenerateContentResponse();
    const call = { functionCall: { name: "read_file", args: {} } };
    original.candidates = [{ content: { role: "model", parts: [{ text: "Ann" }, call] } }];
    const short = createHookOutput("AfterModel", { hookSpecificOutput: { llm_response: { text: "***" } } });
    expect(short.getModifiedResponse(original)?.candidates?.[0]?.content?.parts).toEqual([{ text: "***" }, call]);
    expect(short.getModifiedResponse()?.text).toBe("***");
  });

  test("with the model's response, it keeps what hooks cannot see", () => {
    const original = new GenerateContentResponse();
    original.candidates = [{ content: { role: "model", parts: [{ text: "Ann said so" }] }, avgLogprobs: -0.1 }];
    original.responseId = "r1";
    const changed = output.getModifiedResponse(original);
    expect(changed).toMatchObject({ responseId: "r1", candidates: [{ avgLogprobs: -0.1 }] });
    expect(changed?.text).toBe("*** said so");
    expect(changed).toBeInstanceOf(GenerateContentResponse);
  });
});

describe("BeforeToolSelectionHookOutput", () => {
  const toolConfig = { mode: "ANY", allowedFunctionNames: ["read_file"] };
  const output = createHookOutput("BeforeToolSelection", { hookSpecificOutput: { toolConfig } });

  test("sets mode and names of the SDK's tool config, and keeps the tools", () => {
    const current = { functionCallingConfig: { mode: FunctionCallingConfigMode.AUTO }, retrievalConfig: {} };
    expect(output.applyToolConfigModifications({ toolConfig: current, tools: TOOLS })).toEqual({
      toolConfig: { functionCallingConfig: toolConfig, retrievalConfig: {} },
      tools: TOOLS,
    });
  });

  test("also where there was none", () => {
    expect(output.applyToolConfigModifications({})).toEqual({ toolConfig: { functionCallingConfig: toolConfig } });
  });
});

test("outputs of other events leave requests and tools as they are", () => {
  const output = createHookOutput("BeforeTool", { hookSpecificOutput: { llm_request: { model: "x" } } });
  const target = { tools: TOOLS };
  expect(output.applyLLMRequestModifications(REQUEST)).toBe(REQUEST);
  expect(output.applyToolConfigModifications(target)).toBe(target);
});

test("an event that is not in the catalog has the base class", () => {
  const output = createHookOutput("MyEvent", { decision: "deny", reason: "no" });
  expect(output).toBeInstanceOf(DefaultHookOutput);
  expect(output.getBlockingError()).toEqual({ blocked: true, reason: "no" });
});

test("a request that only a hook made needs no base", () => {
  const made = defaultHookTranslator.fromHookLLMRequest({
    model: "gemini-x",
    messages: [{ role: "user", content: "hi" }],
    config: { temperature: 0 },
  });
  expect(made).toEqual({
    model: "gemini-x",
    contents: [{ role: "user", parts: [{ text: "hi" }] }],
    config: { temperature: 0 },
  });
});

test("tools beside the config of a request are tools, too", async () => {
  const { config, system } = await testSystem();
  const seen: unknown[] = [];
  const select = action("select", (input) => {
    seen.push(input.llm_request);
    return { hookSpecificOutput: { toolConfig: { mode: "AUTO", allowedFunctionNames: ["read_file"] } } };
  });
  system.registerHook(select, "BeforeToolSelection");
  const selection = await fireBeforeToolSelectionHook(config, { model: "m", contents: "hi", tools: TOOLS });
  expect(seen).toMatchObject([{ tools: [{ name: "read_file" }, { name: "write_file" }] }]);
  expect(selection).toMatchObject({
    tools: [{ functionDeclarations: [{ name: "read_file" }] }],
    allowedFunctionNames: ["read_file"],
  });
});
