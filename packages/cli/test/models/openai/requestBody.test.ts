import {
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  Type,
} from "@google/genai";
import { describe, expect, test } from "vitest";
import { toMessages } from "../../../src/models/openai/messages.ts";
import { requestBody } from "../../../src/models/openai/requestBody.ts";
import { toTools } from "../../../src/models/openai/tools.ts";
import { question } from "../../support/modelCalls.ts";

const messagesOf = (contents: GenerateContentParameters["contents"]) => toMessages({ model: "m", contents });
const bodyOf = (config: GenerateContentConfig) =>
  requestBody(question("Hi", config), { stream: false, limitField: "max_tokens" });

describe("messages", () => {
  test.each([
    ["a string", "Hi"],
    ["a list of strings", ["Hi"]],
    ["a part", { text: "Hi" }],
    ["a content", { role: "user", parts: [{ text: "Hi" }] }],
  ])("are made from %s", (_name, contents) => {
    expect(messagesOf(contents)).toEqual([{ role: "user", content: "Hi" }]);
  });

  test("hold no thoughts, and no message that says nothing", () => {
    const thought = { text: "Hm", thought: true };
    expect(
      messagesOf([
        { role: "model", parts: [thought] },
        { role: "model", parts: [thought, { text: "Hel" }, { text: "lo" }] },
        { role: "user", parts: [{ text: "" }] },
      ]),
    ).toEqual([{ role: "assistant", content: "Hello" }]);
  });

  test("carry images, and say what they cannot carry", () => {
    const parts = [
      { text: "Look:" },
      { inlineData: { mimeType: "image/png", data: "aWNo" } },
      { inlineData: { mimeType: "application/pdf", data: "aWNo" } },
    ];
    expect(messagesOf([{ role: "user", parts }])).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aWNo" } },
          { type: "text", text: "[A file of type application/pdf that this model cannot be sent]" },
        ],
      },
    ]);
  });

  test("have results right after their calls, and what was said after them", () => {
    const call = (name: string) => ({ functionCall: { id: `id-${name}`, name, args: { a: 1 } } });
    const result = (name: string, response: Record<string, unknown>) => ({
      functionResponse: { id: `id-${name}`, name, response },
    });
    const out = messagesOf([
      { role: "model", parts: [{ text: "Both." }, call("one"), call("two")] },
      { role: "user", parts: [{ text: "A note" }, result("two", { error: "no" }), result("one", { output: "yes" })] },
    ]);
    const toolCall = (name: string) => ({
      id: `id-${name}`,
      type: "function",
      function: { name, arguments: '{"a":1}' },
    });
    expect(out).toEqual([
      { role: "assistant", content: "Both.", tool_calls: [toolCall("one"), toolCall("two")] },
      { role: "tool", tool_call_id: "id-two", content: '{"error":"no"}' },
      { role: "tool", tool_call_id: "id-one", content: "yes" },
      { role: "user", content: "A note" },
    ]);
  });

  test("pair calls and results that have no ids, by name and order", () => {
    const call = { functionCall: { name: "read_file", args: {} } };
    const result = (output: string) => ({ functionResponse: { name: "read_file", response: { output } } });
    const out = messagesOf([
      { role: "model", parts: [call, call] },
      { role: "user", parts: [result("first"), result("second")] },
      { role: "model", parts: [call] },
      { role: "user", parts: [result("third")] },
    ]);
    const ids = out.flatMap((message) =>
      message.role === "assistant" ? (message.tool_calls ?? []).map(({ id }) => id) : [],
    );
    expect(new Set(ids).size).toBe(3);
    expect(
      out.flatMap((message) => (message.role === "tool" ? [[message.tool_call_id, message.content]] : [])),
    ).toEqual([
      [ids[0], "first"],
      [ids[1], "second"],
      [ids[2], "third"],
    ]);
  });

  test("pair a result that has an id with a call that has none", () => {
    const out = messagesOf([
      { role: "model", parts: [{ functionCall: { name: "read_file", args: {} } }] },
      { role: "user", parts: [{ functionResponse: { id: "other", name: "read_file", response: { output: "x" } } }] },
    ]);
    expect(out).toMatchObject([{ tool_calls: [{ id: "call_1" }] }, { tool_call_id: "call_1" }]);
  });

  test("carry the media of a result after it", () => {
    const functionResponse = {
      id: "1",
      name: "read_file",
      response: { output: "An image" },
      parts: [{ inlineData: { mimeType: "image/png", data: "aWNo" } }],
    };
    expect(messagesOf([{ role: "user", parts: [{ functionResponse }] }])).toEqual([
      { role: "tool", tool_call_id: "1", content: "An image" },
      { role: "user", content: [{ type: "image_url", image_url: { url: "data:image/png;base64,aWNo" } }] },
    ]);
  });
});

describe("tools", () => {
  const declared = [{ name: "one", description: "First" }, { name: "two" }, { name: "three" }];
  const choose = (mode?: FunctionCallingConfigMode, allowedFunctionNames?: string[]) => {
    const functionCallingConfig = { ...(mode && { mode }), ...(allowedFunctionNames && { allowedFunctionNames }) };
    const made = toTools({ tools: [{ functionDeclarations: declared }], toolConfig: { functionCallingConfig } });
    const tools = Array.isArray(made.tools) ? made.tools.map((tool) => tool.function.name) : [];
    return [tools, made.tool_choice];
  };
  const { AUTO, ANY, NONE } = FunctionCallingConfigMode;

  test.each([
    ["nothing said", choose(), [["one", "two", "three"], "auto"]],
    ["AUTO", choose(AUTO), [["one", "two", "three"], "auto"]],
    ["AUTO with names", choose(AUTO, ["two"]), [["two"], "auto"]],
    ["ANY", choose(ANY), [["one", "two", "three"], "required"]],
    ["ANY with names", choose(ANY, ["one", "three"]), [["one", "three"], "required"]],
    ["ANY with one name", choose(ANY, ["two"]), [["two"], { type: "function", function: { name: "two" } }]],
    ["ANY with a name nobody has", choose(ANY, ["four"]), [[], undefined]],
    ["NONE", choose(NONE), [[], undefined]],
  ])("with %s", (_name, made, expected) => {
    expect(made).toEqual(expected);
  });

  test("have their parameters as JSON Schema, whichever way they were declared", () => {
    const parameters = {
      type: Type.OBJECT,
      required: ["paths"],
      properties: {
        paths: { type: Type.ARRAY, minItems: "1", items: { type: Type.STRING, description: "A path" } },
        mode: { type: Type.STRING, enum: ["a", "b"], nullable: true },
      },
    };
    const { tools } = toTools({ tools: [{ functionDeclarations: [{ name: "one", parameters }, { name: "two" }] }] });
    expect(tools).toEqual([
      {
        type: "function",
        function: {
          name: "one",
          parameters: {
            type: "object",
            required: ["paths"],
            properties: {
              paths: { type: "array", minItems: 1, items: { type: "string", description: "A path" } },
              mode: { type: ["string", "null"], enum: ["a", "b", null] },
            },
          },
        },
      },
      { type: "function", function: { name: "two", parameters: { type: "object", properties: {} } } },
    ]);
  });
});

describe("settings", () => {
  test("are passed on under their names", () => {
    const config = { temperature: 0, topP: 1, topK: 40, maxOutputTokens: 5, stopSequences: ["x"], seed: 1 };
    const penalties = { presencePenalty: 0.5, frequencyPenalty: 0.25 };
    expect(bodyOf({ ...config, ...penalties })).toEqual({
      model: "test-model",
      messages: [{ role: "user", content: "Hi" }],
      temperature: 0,
      top_p: 1,
      max_tokens: 5,
      stop: ["x"],
      seed: 1,
      presence_penalty: 0.5,
      frequency_penalty: 0.25,
      stream: false,
    });
  });

  test("ask for JSON", () => {
    expect(bodyOf({ responseMimeType: "application/json" }).response_format).toEqual({ type: "json_object" });
    const schema = { type: "object" };
    const format = { type: "json_schema", json_schema: { name: "answer", schema } };
    expect(bodyOf({ responseJsonSchema: schema }).response_format).toEqual(format);
    expect(bodyOf({ responseSchema: { type: Type.OBJECT } }).response_format).toEqual(format);
  });
});
