// The examples around the model: "Hook System Flow & Architecture", events 3 to 7, and "Hook System Rewrite", 5.2 and 6.2.
import { FunctionCallingConfigMode, type GenerateContentParameters } from "@google/genai";
import { describe, expect, test } from "vitest";
import { defaultHookTranslator } from "../../src/hooks/hookTranslator.ts";
import {
  fireAfterModelHook,
  fireBeforeModelHook,
  fireBeforeToolSelectionHook,
  fireSessionEndHook,
  fireSessionStartHook,
} from "../../src/hooks/triggers/index.ts";
import { project, script, settings } from "./project.ts";

const command = (path: string) => ({ type: "command", command: path });
const ask = (text: string): GenerateContentParameters => ({
  model: "gemini-x",
  contents: [{ role: "user", parts: [{ text }] }],
  config: { tools: [{ functionDeclarations: [{ name: "read_file" }, { name: "write_file" }] }] },
});
const answered = (text: string) => defaultHookTranslator.fromHookLLMResponse({ text });
const hooked = (eventName: string, body: string) =>
  project({
    ".hookline/settings.json": settings(eventName, { hooks: [command("./hooks/hook.sh")] }),
    "hooks/hook.sh": script(body),
  });

describe("a mocked answer", () => {
  const mock = `
    if (!input.llm_request.messages.at(-1).content.includes("help")) return { continue: true };
    return { continue: false, syntheticResponse: { text: "What do you need?", functionCalls: [] } };`;

  test("is delivered in place of the model's, which is not called", async () => {
    const { config } = await hooked("BeforeModel", mock);
    const { blocked, syntheticResponse } = await fireBeforeModelHook(config, ask("help me"));
    expect(blocked).toBe(true);
    expect(syntheticResponse?.text).toBe("What do you need?");
  });

  test("other requests go to the model", async () => {
    const { config } = await hooked("BeforeModel", mock);
    expect(await fireBeforeModelHook(config, ask("hi"))).toEqual({ blocked: false });
  });
});

describe("a mock that looks for the contents of the SDK", () => {
  const MOCKED = `{ continue: false, syntheticResponse: { text: "I can help you.", functionCalls: [] } }`;
  const helps = (text: string) => `
    const asked = ${text};
    return asked?.includes("help") ? ${MOCKED} : { continue: true };`;

  test("finds none: a hook sees messages, whose text it has to read", async () => {
    const { config } = await hooked("BeforeModel", helps("input.llm_request.contents?.at(-1).parts[0].text"));
    expect(await fireBeforeModelHook(config, ask("help me"))).toEqual({ blocked: false });
  });

  test("works with that one line changed", async () => {
    const { config } = await hooked("BeforeModel", helps("input.llm_request.messages.at(-1).content"));
    const { blocked, syntheticResponse } = await fireBeforeModelHook(config, ask("help me"));
    expect({ blocked, text: syntheticResponse?.text, calls: syntheticResponse?.functionCalls }).toEqual({
      blocked: true,
      text: "I can help you.",
      calls: undefined,
    });
    expect(await fireBeforeModelHook(config, ask("hi"))).toEqual({ blocked: false });
  });
});

test("a block beside an answer blocks, with the answer", async () => {
  const body = `return { decision: "deny", reason: "cached", hookSpecificOutput: { llm_response: { text: "again" } } };`;
  const { config } = await hooked("BeforeModel", body);
  const { blocked, reason, syntheticResponse } = await fireBeforeModelHook(config, ask("hi"));
  expect({ blocked, reason, text: syntheticResponse?.text }).toEqual({
    blocked: true,
    reason: "cached",
    text: "again",
  });
});

test("a modified request in the SDK's own words is the one that is sent", async () => {
  const contents = `[{ role: "user", parts: [{ text: "shorter" }] }]`;
  const body = `return { modifiedRequest: { contents: ${contents}, generationConfig: { temperature: 0 } } };`;
  const { config } = await hooked("BeforeModel", body);
  const { modifiedRequest } = await fireBeforeModelHook(config, ask("a long story"));
  expect(modifiedRequest).toEqual({
    ...ask("a long story"),
    contents: [{ role: "user", parts: [{ text: "shorter" }] }],
    config: { ...ask("").config, temperature: 0 },
  });
});

test("a modified response replaces the model's", async () => {
  const { config } = await hooked(
    "AfterModel",
    `return { modifiedResponse: { text: input.llm_response.text.replace("Ann", "***") } };`,
  );
  const { response } = await fireAfterModelHook(config, ask("who?"), answered("Ann said so"));
  expect(response.text).toBe("*** said so");
});

test("a choice of tools restricts names, and leaves the tools listed", async () => {
  const { config } = await hooked(
    "BeforeToolSelection",
    `return { toolConfig: { mode: "ANY", allowedFunctionNames: ["read_file"] } };`,
  );
  expect(await fireBeforeToolSelectionHook(config, ask("read it"))).toEqual({
    toolConfig: {
      functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ["read_file"] },
    },
    allowedFunctionNames: ["read_file"],
  });
});

test("session events say how it began and why it ends", async () => {
  const say = (field: string) => ({ hooks: [command(`./hooks/${field}.sh`)] });
  const { config } = await project({
    ".hookline/settings.json": {
      hooks: { SessionStart: [{ matcher: "Startup|Resume", ...say("trigger") }], SessionEnd: [say("reason")] },
    },
    "hooks/trigger.sh": script("return { systemMessage: input.trigger };"),
    "hooks/reason.sh": script("return { systemMessage: input.reason };"),
  });
  expect(await fireSessionStartHook(config, "startup")).toMatchObject({ systemMessage: "Startup" });
  expect(await fireSessionStartHook(config, "clear")).toEqual({});
  expect(await fireSessionEndHook(config, "exit")).toMatchObject({ systemMessage: "exit" });
});
