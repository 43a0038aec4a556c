import type { CallableTool, FunctionCallingConfigMode, GenerateContentParameters, ToolListUnion } from "@google/genai";
import { describe, expect, test } from "vitest";
import { fireBeforeToolSelectionHook, isToolAllowed } from "../../../src/hooks/triggers/toolSelection.ts";
import { testAgent, untrustedAgent } from "./agent.ts";

const declared = (...names: string[]) => ({ functionDeclarations: names.map((name) => ({ name })) });
const SEARCH = { googleSearch: {} };
const CALLABLE: CallableTool = { tool: async () => declared("hidden"), callTool: async () => [] };
const TOOLS: ToolListUnion = [declared("read_file", "Edit"), declared("run_shell_command"), SEARCH, CALLABLE];

const request = (config: GenerateContentParameters["config"] = { tools: TOOLS }): GenerateContentParameters => ({
  model: "m-1",
  contents: "hi",
  config: { ...config },
});

const mode = (word: string, others: object = {}) => ({
  functionCallingConfig: { mode: word as FunctionCallingConfigMode, ...others },
});

/** What one choice of a hook comes to. */
async function choose(toolConfig: Record<string, unknown>, asked = request()) {
  const { config, on } = await testAgent();
  on("BeforeToolSelection", { hookSpecificOutput: { toolConfig } });
  return fireBeforeToolSelectionHook(config, asked);
}

describe("BeforeToolSelection", () => {
  test("is fired only for a request that carries tools, and sees it", async () => {
    const { config, on } = await testAgent();
    const seen: unknown[] = [];
    on("BeforeToolSelection", ({ llm_request }) => void seen.push(llm_request));
    expect(await fireBeforeToolSelectionHook(config, { model: "m-1", contents: "hi" })).toEqual({});
    expect(await fireBeforeToolSelectionHook(config, request({ tools: [] }))).toEqual({});
    expect(seen).toEqual([]);
    expect(await fireBeforeToolSelectionHook(config, request())).toEqual({});
    expect(seen).toMatchObject([{ tools: [{ name: "read_file" }, { name: "Edit" }, { name: "run_shell_command" }] }]);
  });

  test("a hook without a choice changes nothing, whatever else it says", async () => {
    const { config, on } = await testAgent();
    on("BeforeToolSelection", { systemMessage: "mind the budget" });
    expect(await fireBeforeToolSelectionHook(config, request())).toEqual({ systemMessage: "mind the budget" });
  });

  test("a block leaves no tools in the request", async () => {
    const { config, on } = await testAgent();
    on("BeforeToolSelection", { decision: "block", reason: "just talk" });
    expect(await fireBeforeToolSelectionHook(config, request())).toEqual({
      blocked: true,
      reason: "just talk",
      objectors: ["hook"],
      tools: [],
      toolConfig: mode("NONE"),
      allowedFunctionNames: [],
    });
  });

  test("a stop is told, beside the choice", async () => {
    const { config, on } = await testAgent();
    on("BeforeToolSelection", { continue: false, stopReason: "enough", toolConfig: { mode: "NONE" } });
    expect(await fireBeforeToolSelectionHook(config, request())).toEqual({
      stopped: true,
      reason: "enough",
      objectors: ["hook"],
      toolConfig: mode("NONE"),
      allowedFunctionNames: [],
    });
  });

  test("ANY with names goes to the API, under the names that the request declares", async () => {
    expect(await choose({ mode: "ANY", allowedFunctionNames: ["replace", "read_file", "nobody"] })).toEqual({
      toolConfig: mode("ANY", { allowedFunctionNames: ["read_file", "Edit"] }),
      allowedFunctionNames: ["read_file", "Edit"],
    });
  });

  test("ANY with names that the request does not declare is NONE, since the API would read it as everything", async () => {
    expect(await choose({ mode: "ANY", allowedFunctionNames: ["nobody"] })).toEqual({
      toolConfig: mode("NONE"),
      allowedFunctionNames: [],
    });
  });

  test("AUTO with names is enforced by leaving the others out, callable tools included", async () => {
    expect(await choose({ mode: "AUTO", allowedFunctionNames: ["EditTool"] })).toEqual({
      toolConfig: mode("AUTO"),
      tools: [declared("Edit"), SEARCH],
      allowedFunctionNames: ["Edit"],
    });
    expect(await choose({ allowedFunctionNames: [] })).toEqual({
      toolConfig: mode("AUTO"),
      tools: [SEARCH],
      allowedFunctionNames: [],
    });
  });

  test("a mode without names restricts nothing further, and the rest of the request's own choice is kept", async () => {
    expect(await choose({ mode: "ANY" })).toEqual({ toolConfig: mode("ANY") });
    const toolConfig = { ...mode("ANY", { allowedFunctionNames: ["Edit"] }), retrievalConfig: { languageCode: "de" } };
    const asked = request({ tools: TOOLS, toolConfig });
    expect(await choose({ mode: "AUTO" }, asked)).toEqual({
      toolConfig: { ...mode("AUTO"), retrievalConfig: { languageCode: "de" } },
      tools: [declared("Edit"), SEARCH],
      allowedFunctionNames: ["Edit"],
    });
  });

  test("leaves no tools when its hooks cannot be asked", async () => {
    expect(await fireBeforeToolSelectionHook(untrustedAgent(), request())).toMatchObject({
      blocked: true,
      tools: [],
      allowedFunctionNames: [],
    });
  });

  test("never throws, not even for a request that is none", async () => {
    const { config } = await testAgent();
    expect(await fireBeforeToolSelectionHook(config, JSON.parse("null"))).toMatchObject({ blocked: true, tools: [] });
  });
});

test.each([
  [undefined, "anything", true],
  [[], "read_file", false],
  [["read_file"], "read_file", true],
  [["replace"], "Edit", true],
  [["Edit"], "edit_file", true],
  [["Edit"], "write_file", false],
])("under %j, %s is allowed: %j", (allowedFunctionNames, name, allowed) => {
  expect(isToolAllowed(allowedFunctionNames ? { allowedFunctionNames } : {}, name)).toBe(allowed);
});

test("an agent's own tools may have other names, too", () => {
  const selection = { allowedFunctionNames: ["fetch"] };
  expect([isToolAllowed(selection, "Curl"), isToolAllowed(selection, "Curl", [["fetch", "Curl"]])]).toEqual([
    false,
    true,
  ]);
});
