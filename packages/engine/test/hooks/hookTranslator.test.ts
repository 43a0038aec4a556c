import {
  type Candidate,
  type Content,
  FinishReason,
  FunctionCallingConfigMode,
  type GenerateContentConfig,
  type GenerateContentParameters,
  GenerateContentResponse,
  HarmCategory,
  Language,
  Outcome,
  type Part,
  ToolType,
} from "@google/genai";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type LLMRequest, type LLMResponse, llmRequest, llmResponse } from "../../src/events/modelSchemas.ts";
import { defaultHookTranslator as translator } from "../../src/hooks/hookTranslator.ts";

afterEach(() => vi.restoreAllMocks());

const overJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const request = (contents: GenerateContentParameters["contents"], config?: GenerateContentConfig) => ({
  model: "gemini",
  contents,
  ...(config && { config }),
});
const user = (...parts: Part[]): Content => ({ role: "user", parts });
const model = (...parts: Part[]): Content => ({ role: "model", parts });

/** A message as a hook may answer it: with `content`, `parts` or both, also with the parts in `content`. */
interface Answered {
  readonly role: "user" | "model" | "system";
  readonly content?: string | { type: string; [field: string]: unknown }[];
  readonly parts?: { type: string; [field: string]: unknown }[] | undefined;
}

/** Answers as a hook does, over JSON, with its own messages. */
function answer(base: GenerateContentParameters, messages: readonly Answered[]): GenerateContentParameters {
  const changed = JSON.parse(JSON.stringify({ ...translator.toHookLLMRequest(base), messages }));
  return translator.fromHookLLMRequest(changed, base);
}

const PNG = "iVBORw0KGgo="; // 8 bytes
const CALL: Part = { functionCall: { id: "1", name: "read", args: { path: "a" } }, thoughtSignature: "c2ln" };
const RESULT: Part = { functionResponse: { id: "1", name: "read", response: { output: "hello" } } };
const IMAGE: Part = { inlineData: { mimeType: "image/png", data: PNG }, videoMetadata: { fps: 1 } };
const SHOWN_CALL = { type: "functionCall", id: "1", name: "read", args: { path: "a" } };
const SHOWN_RESULT = { type: "functionResponse", id: "1", name: "read", response: { output: "hello" } };
const SHOWN_IMAGE = { type: "inlineData", mimeType: "image/png", bytes: 8 };

describe("a request as hooks see it", () => {
  test.each<[string, GenerateContentParameters["contents"], LLMRequest["messages"]]>([
    ["a string is the user's message", "hi", [{ role: "user", content: "hi" }]],
    ["so is a part", { text: "hi" }, [{ role: "user", content: "hi" }]],
    ["a list of parts is one message", ["a", { text: "b" }], [{ role: "user", content: "ab" }]],
    ["a content keeps its role", model({ text: "hi" }), [{ role: "model", content: "hi" }]],
    ["text parts are joined", [user({ text: "a" }, { text: "b" })], [{ role: "user", content: "ab" }]],
    ["an empty text is a message", [user({ text: "" })], [{ role: "user", content: "" }]],
    [
      "a content without parts is a message",
      [{ role: "model" }, user()],
      [
        { role: "model", content: "" },
        { role: "user", content: "" },
      ],
    ],
    [
      "a signature beside text is not shown",
      [model({ text: "a", thoughtSignature: "eA==" })],
      [{ role: "model", content: "a" }],
    ],
    ["a call alone is a message", [model(CALL)], [{ role: "model", content: "", parts: [SHOWN_CALL] }]],
    [
      "parts of all kinds have their type, in their place",
      [model({ text: "hm", thought: true }, { text: "I read" }, CALL), user(RESULT, IMAGE)],
      [
        {
          role: "model",
          content: "I read",
          parts: [{ type: "thought", text: "hm" }, { type: "text", text: "I read" }, SHOWN_CALL],
        },
        { role: "user", content: "", parts: [SHOWN_RESULT, SHOWN_IMAGE] },
      ],
    ],
    [
      "a role of another time is the user's",
      [{ role: "function", parts: [RESULT] }],
      [{ role: "user", content: "", parts: [SHOWN_RESULT] }],
    ],
    ["no contents are no messages", [], []],
  ])("%s", (_name, contents, messages) => {
    expect(translator.toHookLLMRequest(request(contents))).toEqual({ model: "gemini", messages });
  });

  test.each<[string, Part, object]>([
    [
      "inlineData",
      { inlineData: { mimeType: "a/b", displayName: "x", data: "YWI=" } },
      { mimeType: "a/b", displayName: "x", bytes: 2 },
    ],
    ["fileData", { fileData: { fileUri: "gs://x", mimeType: "a/b" } }, { fileUri: "gs://x", mimeType: "a/b" }],
    ["executableCode", { executableCode: { code: "1", language: Language.PYTHON } }, { code: "1", language: "PYTHON" }],
    [
      "codeExecutionResult",
      { codeExecutionResult: { outcome: Outcome.OUTCOME_OK, output: "1" } },
      { outcome: "OUTCOME_OK", output: "1" },
    ],
    [
      "toolCall",
      { toolCall: { toolType: ToolType.URL_CONTEXT, args: { a: 1 } } },
      { toolType: "URL_CONTEXT", args: { a: 1 } },
    ],
    [
      "functionResponse",
      {
        functionResponse: { name: "shot", response: {}, parts: [{ inlineData: { mimeType: "image/png", data: PNG } }] },
      },
      { name: "shot", response: {}, parts: [SHOWN_IMAGE] },
    ],
    [
      "other",
      { audioTranscription: { text: "secret bytes" }, thoughtSignature: "eA==" },
      { fields: ["audioTranscription"] },
    ],
    ["other", { toolCall: undefined, inlineData: null } as never, { fields: [] }],
    ["other", {}, { fields: [] }],
    ["functionCall", { text: "and", functionCall: { name: "f" } }, { name: "f", text: "and" }],
  ])("a part of type %s tells all but its bytes", (type, part, shown) => {
    const { messages } = translator.toHookLLMRequest(request([model(part)]));
    expect(messages).toEqual([{ role: "model", content: "", parts: [{ type, ...shown }] }]);
  });

  test("the system instruction is the first message", () => {
    const shown = translator.toHookLLMRequest(
      request("hi", { systemInstruction: { parts: [{ text: "Be" }, { text: " brief" }] } }),
    );
    expect(shown.messages).toEqual([
      { role: "system", content: "Be brief" },
      { role: "user", content: "hi" },
    ]);
  });

  test("settings are shown where they are plain values; what is bound to the process or secret is not", () => {
    const config: GenerateContentConfig = {
      temperature: 0.5,
      stopSequences: ["END"],
      seed: 0,
      responseMimeType: "application/json",
      thinkingConfig: { thinkingBudget: 10 },
      topP: Number.NaN,
      responseJsonSchema: { parse: () => {} },
      abortSignal: new AbortController().signal,
      httpOptions: { headers: { authorization: "secret" } },
      tools: [
        { functionDeclarations: [{ name: "read", description: "Reads", parameters: {} }, { name: "write" }] },
        { googleSearch: {} },
        { tool: async () => ({}), callTool: async () => [] },
      ],
      toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ["read"] } },
    };
    expect(translator.toHookLLMRequest(request("hi", config))).toEqual({
      model: "gemini",
      messages: [{ role: "user", content: "hi" }],
      config: {
        temperature: 0.5,
        stopSequences: ["END"],
        seed: 0,
        responseMimeType: "application/json",
        thinkingConfig: { thinkingBudget: 10 },
      },
      tools: [{ name: "read", description: "Reads" }, { name: "write" }],
      toolConfig: { mode: "ANY", allowedFunctionNames: ["read"] },
    });
  });

  test("what is shown elsewhere, odd or without end is no setting", () => {
    const labels: Record<string, unknown> = {};
    labels.self = labels;
    const config = {
      systemInstruction: "s",
      tools: [{ functionDeclarations: [{ name: "a" }] }],
      continuationToken: "t",
    };
    const odd = { temperature: "hot", audioTimestamp: null, labels } as unknown as GenerateContentConfig;
    expect(llmRequest.parse(translator.toHookLLMRequest(request("hi", { ...config, ...odd })))).toStrictEqual({
      model: "gemini",
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: "hi" },
      ],
      tools: [{ name: "a" }],
    });
  });
});

describe("changed messages", () => {
  test("replace the text and nothing else; an untouched content stays the object it is", () => {
    const contents = [user({ text: "a" }), model({ text: "b", thoughtSignature: "eA==" }, CALL), user(RESULT)];
    const base = request(contents);
    const changed = answer(base, [
      { role: "user", content: "A" },
      { role: "model", content: [{ type: "text", text: "B" }, SHOWN_CALL] },
      { role: "user", content: [SHOWN_RESULT] },
    ]);
    expect(changed).toEqual(
      request([user({ text: "A" }), model({ text: "B", thoughtSignature: "eA==" }, CALL), user(RESULT)]),
    );
    const list = changed.contents as Content[];
    expect(list[1]?.parts?.[1]).toBe(CALL);
    expect(list[2]).toBe(contents[2]);
  });

  test.each<[string, Content, Answered, Content]>([
    [
      "one text for several goes in the place of the first, and signatures stay",
      model({ text: "a", partMetadata: { k: 1 } }, { text: "b" }, { text: "", thoughtSignature: "eA==" }),
      { role: "model", content: "X" },
      model({ text: "X", partMetadata: { k: 1 } }, { text: "", thoughtSignature: "eA==" }),
    ],
    [
      "a string for parts replaces their text; calls, images and thoughts stay in place",
      model({ text: "hm", thought: true }, IMAGE, { text: "a" }, CALL, { text: "b" }),
      { role: "model", content: "X" },
      model({ text: "hm", thought: true }, IMAGE, { text: "X" }, CALL),
    ],
    [
      "a string where there was no text comes last",
      model(CALL),
      { role: "model", content: "X" },
      model(CALL, { text: "X" }),
    ],
    [
      "a string that says what the texts said changes nothing",
      model({ text: "a" }, { text: "b" }, CALL),
      { role: "model", content: "ab" },
      model({ text: "a" }, { text: "b" }, CALL),
    ],
    ["a content without parts gets one", { role: "user" }, { role: "user", content: "X" }, user({ text: "X" })],
    [
      "an empty text is filled",
      user({ text: "" }, IMAGE),
      { role: "user", content: [{ type: "text", text: "X" }, SHOWN_IMAGE] },
      user({ text: "X" }, IMAGE),
    ],
    ["the role is taken", user({ text: "a" }), { role: "model", content: "a" }, model({ text: "a" })],
    [
      "a role that hooks do not know survives",
      { role: "function", parts: [RESULT] },
      { role: "user", content: [SHOWN_RESULT, { type: "text", text: "X" }] },
      { role: "function", parts: [RESULT, { text: "X" }] },
    ],
    [
      "a removed part is gone",
      user({ text: "a" }, IMAGE, RESULT),
      { role: "user", content: [{ type: "text", text: "a" }, SHOWN_RESULT] },
      user({ text: "a" }, RESULT),
    ],
    [
      "arguments change, the signature and unseen fields stay",
      model({ functionCall: { name: "f", args: { a: 1 }, willContinue: true }, thoughtSignature: "eA==" }),
      { role: "model", content: [{ type: "functionCall", name: "f", args: { a: 2 } }] },
      model({ functionCall: { name: "f", args: { a: 2 }, willContinue: true }, thoughtSignature: "eA==" }),
    ],
    [
      "a text in the place of a call is a text",
      model(CALL, { text: "a" }),
      {
        role: "model",
        content: [
          { type: "text", text: "no" },
          { type: "text", text: "a" },
        ],
      },
      model({ text: "no" }, { text: "a" }),
    ],
    [
      "calls that changed places bring their own signatures",
      model({ functionCall: { name: "f" }, thoughtSignature: "eA==" }, CALL),
      { role: "model", content: [SHOWN_CALL, { type: "functionCall", name: "f" }] },
      model(CALL, { functionCall: { name: "f" }, thoughtSignature: "eA==" }),
    ],
    [
      "thoughts can be reworded",
      model({ text: "hm", thought: true, thoughtSignature: "eA==" }),
      { role: "model", content: [{ type: "thought", text: "oh" }] },
      model({ text: "oh", thought: true, thoughtSignature: "eA==" }),
    ],
    [
      "bytes described otherwise stay the bytes they were",
      user(IMAGE),
      { role: "user", content: [{ ...SHOWN_IMAGE, mimeType: "image/gif" }] },
      user(IMAGE),
    ],
    [
      "new bytes are used",
      user(IMAGE),
      { role: "user", content: [{ type: "inlineData", mimeType: "a/b", data: "YWI=" }] },
      user({ ...IMAGE, inlineData: { mimeType: "a/b", data: "YWI=" } }),
    ],
    [
      "bytes that are not base64 are not",
      user(IMAGE),
      { role: "user", content: [{ type: "inlineData", mimeType: "a/b", data: "?!" }] },
      user(IMAGE),
    ],
    [
      "words beside data can be changed",
      model({ text: "and", ...CALL }),
      { role: "model", content: [{ ...SHOWN_CALL, text: "or" }] },
      model({ text: "or", ...CALL }),
    ],
  ])("%s", (_name, content, message, expected) => {
    const before = structuredClone(content);
    expect(answer(request([content]), [message]).contents).toEqual([expected]);
    expect(content).toEqual(before);
  });

  test.each<[string, Answered, Content]>([
    [
      "a changed text beside the parts as they were replaces the text, and the call keeps its place",
      { role: "model", content: "X", parts: [{ type: "text", text: "a" }, SHOWN_CALL] },
      model({ text: "X", thoughtSignature: "eA==" }, CALL),
    ],
    [
      "a changed text without parts does the same",
      { role: "model", content: "X" },
      model({ text: "X", thoughtSignature: "eA==" }, CALL),
    ],
    [
      "an unchanged text without parts changes nothing",
      { role: "model", content: "a" },
      model({ text: "a", thoughtSignature: "eA==" }, CALL),
    ],
    [
      "changed parts win over a changed text",
      { role: "model", content: "X", parts: [{ type: "text", text: "Y" }, SHOWN_CALL] },
      model({ text: "Y", thoughtSignature: "eA==" }, CALL),
    ],
    [
      "changed parts with the text as it was leave the text to a changed content",
      {
        role: "model",
        content: "X",
        parts: [
          { type: "text", text: "a" },
          { ...SHOWN_CALL, args: {} },
        ],
      },
      model({ text: "X", thoughtSignature: "eA==" }, { ...CALL, functionCall: { id: "1", name: "read", args: {} } }),
    ],
    [
      "parts without the call take it out",
      { role: "model", content: "a", parts: [{ type: "text", text: "a" }] },
      model({ text: "a", thoughtSignature: "eA==" }),
    ],
    ["no parts at all empty the message", { role: "model", content: "a", parts: [] }, model()],
    [
      "parts in the SDK's own shape are read",
      { role: "model", parts: [{ text: "Y" }, { functionCall: { id: "1", name: "read", args: {} } }] as never },
      model({ text: "Y", thoughtSignature: "eA==" }, { ...CALL, functionCall: { id: "1", name: "read", args: {} } }),
    ],
  ])("with text and a call, %s", (_name, message, expected) => {
    const content = model({ text: "a", thoughtSignature: "eA==" }, CALL);
    expect(answer(request([content]), [message]).contents).toEqual([expected]);
  });

  test("a hook that passes on texts only, and fewer messages, keeps the calls of those it kept", () => {
    const contents = [user({ text: "a" }), model({ text: "b" }, CALL), user(RESULT), model({ text: "c" })];
    const texts = [
      { role: "model" as const, content: "b" },
      { role: "user" as const, content: "" },
      { role: "model" as const, content: "C" },
    ];
    expect(answer(request(contents), texts).contents).toEqual([contents[1], contents[2], model({ text: "C" })]);
  });

  test("a text changed while another message is removed is not brought back by the parts beside it", () => {
    const contents = [user({ text: "a" }), model({ text: "my secret" }, CALL), user(RESULT)];
    const [, second, third] = translator.toHookLLMRequest(request(contents)).messages;
    const changed = [{ ...(second as Answered), content: "my ***" }, third as Answered];
    expect(answer(request(contents), changed).contents).toEqual([model({ text: "my ***" }, CALL), user(RESULT)]);
  });

  test("an image taken out of a function's answer is gone, the other keeps its bytes", () => {
    const media = (data: string) => ({ inlineData: { mimeType: "image/png", data } });
    const shot = (...data: string[]) =>
      user({ functionResponse: { name: "shot", response: { n: 2 }, parts: data.map(media) } });
    const base = request([shot(PNG, "YWI=")]);
    const kept = { type: "inlineData", mimeType: "image/png", bytes: 2 };
    const message = { type: "functionResponse", name: "shot", response: { n: 1 }, parts: [kept] };
    expect(answer(base, [{ role: "user", content: [message] }]).contents).toEqual([
      user({ functionResponse: { name: "shot", response: { n: 1 }, parts: [media("YWI=")] } }),
    ]);
  });

  const long = [
    user({ text: "a" }),
    model({ text: "b", thoughtSignature: "eA==" }),
    model(CALL),
    user(RESULT),
    model({ text: "e" }),
  ];
  const shown = translator.toHookLLMRequest(request(long)).messages;
  const fresh = { role: "user" as const, content: "new" };
  test.each<[string, Answered[], (Content | number)[]]>([
    ["removed at the front", shown.slice(1), [1, 2, 3, 4]],
    ["removed at the end", shown.slice(0, -1), [0, 1, 2, 3]],
    ["removed in two places", shown.filter((_, index) => index !== 0 && index !== 3), [1, 2, 4]],
    ["removed at both sides of a kept one", shown.filter((_, index) => index !== 1 && index !== 3), [0, 2, 4]],
    ["added in the middle", shown.toSpliced(2, 0, fresh), [0, 1, user({ text: "new" }), 2, 3, 4]],
    ["summed up", shown.toSpliced(1, 3, fresh), [0, user({ text: "new" }), 4]],
    ["all removed", [], []],
  ])("with messages %s, the others stay the objects they are", (_name, messages, expected) => {
    const contents = answer(request(long), messages).contents as Content[];
    expect(contents).toEqual(expected.map((item) => (typeof item === "number" ? long[item] : item)));
    for (const [place, item] of expected.entries())
      if (typeof item === "number") expect(contents[place]).toBe(long[item]);
  });

  test("of two that look the same and one removed, the first stays", () => {
    const twins = [model({ text: "ok", thoughtSignature: "eA==" }), model({ text: "ok", thoughtSignature: "eQ==" })];
    expect(answer(request(twins), [{ role: "model", content: "ok" }]).contents).toEqual([twins[0]]);
  });

  test("values that JSON writes otherwise are no change", () => {
    const output = { at: new Date(0), rate: Number.NaN, none: undefined, list: [undefined, () => 1] };
    const base = request([
      user({ functionResponse: { name: "f", response: output } }, { text: "a" }),
      user({ text: "b" }),
    ]);
    const { messages } = overJson(translator.toHookLLMRequest(base));
    expect(answer(base, messages)).toBe(base);
    expect(answer(base, messages.toSpliced(1, 1)).contents).toEqual([(base.contents as Content[])[0]]);
  });

  test("a note on a part that changes nothing leaves the very request", () => {
    const base = request([model(CALL, { text: "a" }), user(RESULT, {})]);
    const { messages } = overJson(translator.toHookLLMRequest(base));
    const noted = messages.map(({ role, content, parts }) => ({
      role,
      content,
      ...(parts && { parts: parts.map((part) => ({ ...part, note: "seen" })) }),
    }));
    expect(answer(base, noted)).toBe(base);
  });

  test("an image of a function's answer can be moved to another answer", () => {
    const media = { inlineData: { mimeType: "image/png", data: PNG } };
    const base = request([user({ functionResponse: { name: "shot", parts: [media] } }), user({ text: "a" })]);
    const moved = { type: "functionResponse", name: "other", parts: [SHOWN_IMAGE] };
    expect(answer(base, [{ role: "user", content: [moved] }]).contents).toEqual([
      user({ functionResponse: { name: "other", parts: [media] } }),
    ]);
  });

  test("a part that moved to a new message brings its bytes and signature along; one that never was is not made up", () => {
    const base = request([user({ text: "look" }, IMAGE), model(CALL)]);
    const content = [
      SHOWN_IMAGE,
      { ...SHOWN_IMAGE, bytes: 3 },
      SHOWN_CALL,
      { type: "other", fields: ["x"] },
      { type: "hologram" },
    ];
    const contents = answer(base, [{ role: "user", content }]).contents as Content[];
    expect(contents).toEqual([user(IMAGE, CALL)]);
    expect(contents[0]?.parts?.[0]).toBe(IMAGE);
  });

  test.each<[string, object, Part[]]>([
    [
      "a call",
      { type: "functionCall", name: "f", args: { a: 1 }, extra: 1 },
      [{ functionCall: { name: "f", args: { a: 1 } } }],
    ],
    ["a call with null for none", { type: "functionCall", name: "f", args: null }, [{ functionCall: { name: "f" } }]],
    [
      "an answer with media that are none",
      { type: "functionResponse", name: "f", parts: [{ type: "text", text: "x" }, 7] },
      [{ functionResponse: { name: "f", parts: [] } }],
    ],
    ["a call of nothing", { type: "functionCall", args: {} }, []],
    ["a call with arguments that are none", { type: "functionCall", name: "f", args: "rm" }, []],
    [
      "an answer",
      { type: "functionResponse", name: "f", response: { a: 1 } },
      [{ functionResponse: { name: "f", response: { a: 1 } } }],
    ],
    [
      "a file",
      { type: "fileData", fileUri: "gs://x", mimeType: "a/b" },
      [{ fileData: { fileUri: "gs://x", mimeType: "a/b" } }],
    ],
    [
      "an image",
      { type: "inlineData", mimeType: "a/b", data: "YWI=" },
      [{ inlineData: { mimeType: "a/b", data: "YWI=" } }],
    ],
    ["an image without bytes", { type: "inlineData", mimeType: "a/b", bytes: 2 }, []],
    ["a thought", { type: "thought", text: "hm" }, [{ text: "hm", thought: true }]],
    ["a text that is none", { type: "text", text: 7 }, []],
    ["a name with no string form", { type: "text", text: "x", name: { toString: 1, valueOf: 1 } }, [{ text: "x" }]],
    ["a type called __proto__", { type: "__proto__", name: "f" }, []],
  ])("%s in a new message is built from what it says, or left out", (_name, part, expected) => {
    const message = { role: "model" as const, content: [part as { type: string }] };
    const hidden = [user({ text: "a" }), user({ text: "b" })];
    expect(answer(request(hidden), [message]).contents).toEqual([model(...expected)]);
  });

  test("keys that reach for the prototype do no harm", () => {
    const base = request([model({ functionCall: { name: "f", args: {} } })], { temperature: 1 });
    const text = `{ "__proto__": { "polluted": 1 }, "messages": [{ "role": "model", "__proto__": { "polluted": 1 },
      "content": [{ "type": "functionCall", "name": "f", "args": { "__proto__": { "polluted": 1 } }, "__proto__": { "polluted": 1 } }] }],
      "config": { "__proto__": { "polluted": 1 }, "constructor": 1, "temperature": 2 }, "toolConfig": { "__proto__": { "mode": "ANY" } } }`;
    const changed = translator.fromHookLLMRequest(JSON.parse(text), base);
    const call = (changed.contents as Content[])[0]?.parts?.[0]?.functionCall;
    expect(Object.keys(changed.config ?? {})).toEqual(["temperature"]);
    expect(Object.keys(call ?? {})).toEqual(["name", "args"]);
    expect(
      [{}, changed, changed.config, changed.contents, call, call?.args].map((value) => Object(value).polluted),
    ).toEqual(Array(6).fill(undefined));
  });

  test.each<[string, GenerateContentParameters["contents"], GenerateContentParameters["contents"]]>([
    ["a string", "hi", "HI"],
    ["a part", { text: "hi", thoughtSignature: "eA==" }, user({ text: "HI", thoughtSignature: "eA==" })],
    ["a list of parts", ["h", { text: "i" }], [user({ text: "HI" })]],
    ["a content", user({ text: "hi" }), user({ text: "HI" })],
    ["a list of contents", [user({ text: "hi" })], [user({ text: "HI" })]],
  ])("a prompt given as %s is changed, and untouched it comes back as it was", (_name, contents, changed) => {
    expect(answer(request(contents), [{ role: "user", content: "HI" }]).contents).toEqual(changed);
    expect(answer(request(contents), [{ role: "user", content: "hi" }]).contents).toBe(contents);
    expect(
      answer(request(contents), [
        { role: "user", content: "hi" },
        { role: "user", content: "x" },
      ]).contents,
    ).toHaveLength(2);
  });

  test("a prompt that a string can no longer say becomes a content", () => {
    expect(answer(request("hi"), [{ role: "model", content: "hi" }]).contents).toEqual(model({ text: "hi" }));
    const thought = { type: "thought", text: "hm" };
    expect(answer(request("hi"), [{ role: "user", content: [thought] }]).contents).toEqual(
      user({ text: "hm", thought: true }),
    );
  });

  test.each([
    ["hi"],
    [[{ role: "alien", content: "x" }]],
    [[{ role: "user" }]],
    [[null]],
    [[{ role: "user", content: [{}] }]],
  ])("messages that are none (%j) leave the conversation alone", (messages) => {
    const base = request([user({ text: "a" })]);
    expect(translator.fromHookLLMRequest({ messages } as never, base)).toBe(base);
  });

  test("holes in the agent's lists are no reason to fail", () => {
    const holes = [
      null,
      { role: "user", parts: [null, { text: "a" }] },
      { role: "model", parts: null },
    ] as unknown as Content[];
    const base = request(holes);
    expect(llmRequest.parse(translator.toHookLLMRequest(base)).messages).toEqual([
      { role: "user", content: "" },
      {
        role: "user",
        content: "a",
        parts: [
          { type: "other", fields: [] },
          { type: "text", text: "a" },
        ],
      },
      { role: "model", content: "" },
    ]);
    const changed = answer(base, [
      { role: "user", content: "" },
      {
        role: "user",
        content: [
          { type: "text", text: "x" },
          { type: "text", text: "b" },
        ],
      },
      { role: "model", content: "c" },
    ]);
    expect(changed.contents).toEqual([user(), user({ text: "x" }, { text: "b" }), model({ text: "c" })]);
  });
});

describe("the system instruction", () => {
  const ask = { role: "user" as const, content: "hi" };
  const system = (content: string) => ({ role: "system" as const, content });
  type Instruction = GenerateContentConfig["systemInstruction"];

  test.each<[string, Instruction, Answered[], Instruction]>([
    ["changed", "a", [system("b"), ask], "b"],
    [
      "changed in a content",
      { role: "system", parts: [{ text: "a" }] },
      [system("b"), ask],
      { role: "system", parts: [{ text: "b" }] },
    ],
    ["changed in a list", ["a"], [system("b"), ask], [{ text: "b" }]],
    ["removed by an empty text", "a", [system(""), ask], undefined],
    ["not mentioned", "a", [ask], "a"],
    ["added", undefined, [system("a"), ask], "a"],
    ["joined by another", "a", [system("a"), system("b"), ask], [{ text: "a" }, { text: "b" }]],
    [
      "preceded by another",
      { parts: [{ text: "a" }] },
      [system("b"), system("a"), ask],
      { parts: [{ text: "b" }, { text: "a" }] },
    ],
    ["emptied of parts", "a", [{ role: "system", content: [] }, ask], undefined],
  ])("%s goes back where it came from", (_name, before, messages, after) => {
    const contents = [user({ text: "hi" })];
    const changed = answer(request(contents, { topK: 1, ...(before && { systemInstruction: before }) }), messages);
    expect(changed.config).toEqual({ topK: 1, ...(after && { systemInstruction: after }) });
    expect(changed.contents).toBe(contents);
  });

  test("a system message elsewhere is said by the user, and the instruction stays", () => {
    const config = { systemInstruction: "a" };
    expect(answer(request([user({ text: "hi" })], config), [ask, system("note")])).toEqual(
      request([user({ text: "hi" }), user({ text: "note" })], config),
    );
  });

  test("left out while a message is added, it shifts nothing", () => {
    const contents = [user({ text: "hi" }), model({ text: "yo", thoughtSignature: "eA==" })];
    const { messages } = translator.toHookLLMRequest(request(contents, { systemInstruction: "a" }));
    const changed = answer(request(contents, { systemInstruction: "a" }), [...messages.slice(1), ask])
      .contents as Content[];
    expect(changed).toEqual([...contents, user({ text: "hi" })]);
    expect(changed[1]).toBe(contents[1]);
  });
});

describe("changed settings", () => {
  const abortSignal = new AbortController().signal;
  const config: GenerateContentConfig = {
    temperature: 1,
    topP: 0.5,
    abortSignal,
    labels: { a: "b" },
    systemInstruction: "s",
  };
  const change = (changed: unknown) =>
    translator.fromHookLLMRequest({ config: changed } as never, request("hi", config)).config;

  test.each<[string, object, object]>([
    ["one field leaves the others", { temperature: 0 }, { ...config, temperature: 0 }],
    ["a field that was not set", { seed: 7, stopSequences: ["x"] }, { ...config, seed: 7, stopSequences: ["x"] }],
    ["a field known only by the agent", { labels: { a: "c" } }, { ...config, labels: { a: "c" } }],
    [
      "values of the wrong kind",
      { temperature: "hot", stopSequences: [1], labels: [], topP: null, topK: Number.NaN },
      config,
    ],
    [
      "fields that hooks may not set",
      { httpOptions: { baseUrl: "http://evil" }, abortSignal: {}, systemInstruction: "x", tools: [], wings: 2 },
      config,
    ],
  ])("%s", (_name, changed, expected) => {
    expect(change(changed)).toEqual(expected);
    expect(change(changed)?.abortSignal).toBe(abortSignal);
  });

  test("without any, the settings and the request stay the objects they are", () => {
    const base = request([user({ text: "a" })], config);
    expect(translator.fromHookLLMRequest({}, base)).toBe(base);
    expect(translator.fromHookLLMRequest({ model: "" }, base)).toBe(base);
    expect(translator.fromHookLLMRequest({ model: "other" }, base)).toEqual({ ...base, model: "other" });
    expect(translator.fromHookLLMRequest({ model: "other" }, base).config).toBe(config);
  });

  test("a request without settings gets those that are set", () => {
    expect(translator.fromHookLLMRequest({ config: { topK: 3 } }, request("hi"))).toEqual(request("hi", { topK: 3 }));
  });
});

describe("tools", () => {
  const search = { googleSearch: {} };
  const callable = { tool: async () => ({}), callTool: async () => [] };
  const read = { name: "read", description: "Reads", parametersJsonSchema: {} };
  const write = { name: "write" };
  const tools = [{ functionDeclarations: [read, write] }, search, callable];
  const change = (listed: LLMRequest["tools"]) =>
    translator.fromHookLLMRequest({ tools: listed }, request("hi", { tools })).config?.tools;

  test("that a hook left out are not declared, changed descriptions are used, and no tool is invented", () => {
    expect(change([{ name: "read", description: "Reads" }, { name: "write" }])).toBe(tools);
    expect(change([{ name: "read" }, { name: "write" }])).toBe(tools);
    expect(change([{ name: "read", description: "R" }, { name: "rm" }])).toEqual([
      { functionDeclarations: [{ ...read, description: "R" }] },
      search,
      callable,
    ]);
    expect(change([{ name: "write" }])?.[0]).toEqual({ functionDeclarations: [write] });
    expect(change([])).toEqual([search, callable]);
  });

  test("of the same name are told apart while the list is as it was", () => {
    const twins = [{ functionDeclarations: [read, { ...read, description: "Reads, too" }] }];
    const base = request("hi", { tools: twins });
    expect(translator.fromHookLLMRequest(overJson(translator.toHookLLMRequest(base)), base)).toBe(base);
  });
});

describe("a tool config", () => {
  const retrievalConfig = { languageCode: "de" };
  const sdk = {
    retrievalConfig,
    functionCallingConfig: {
      mode: FunctionCallingConfigMode.ANY,
      allowedFunctionNames: ["a"],
      streamFunctionCallArguments: true,
    },
  };

  test("is shown in the words of the contract", () => {
    const { VALIDATED, MODE_UNSPECIFIED, NONE } = FunctionCallingConfigMode;
    expect(translator.toHookToolConfig(sdk)).toEqual({ mode: "ANY", allowedFunctionNames: ["a"] });
    expect(translator.toHookToolConfig({ functionCallingConfig: { mode: NONE } })).toEqual({ mode: "NONE" });
    expect(translator.toHookToolConfig({ functionCallingConfig: { mode: VALIDATED } })).toEqual({ mode: "AUTO" });
    expect(translator.toHookToolConfig({ functionCallingConfig: { mode: MODE_UNSPECIFIED } })).toBeUndefined();
    expect(translator.toHookToolConfig({ retrievalConfig })).toBeUndefined();
    expect(translator.toHookToolConfig(undefined)).toBeUndefined();
  });

  test("keeps what the answer does not name", () => {
    expect(translator.fromHookToolConfig({ mode: "NONE" }, sdk)).toEqual({
      retrievalConfig,
      functionCallingConfig: { ...sdk.functionCallingConfig, mode: "NONE" },
    });
    expect(translator.fromHookToolConfig({ allowedFunctionNames: ["b"] }, { retrievalConfig })).toEqual({
      retrievalConfig,
      functionCallingConfig: { allowedFunctionNames: ["b"] },
    });
    expect(translator.fromHookToolConfig({ mode: "AUTO" })).toEqual({ functionCallingConfig: { mode: "AUTO" } });
  });

  test("that is unchanged, or cannot be read, is the one the agent had", () => {
    const validated = { functionCallingConfig: { mode: FunctionCallingConfigMode.VALIDATED } };
    expect(translator.fromHookToolConfig({ mode: "ANY", allowedFunctionNames: ["a"] }, sdk)).toBe(sdk);
    expect(translator.fromHookToolConfig({ mode: "AUTO" }, validated)).toBe(validated);
    expect(translator.fromHookToolConfig({ mode: "MAYBE", allowedFunctionNames: [1] } as never, sdk)).toBe(sdk);
    expect(translator.fromHookToolConfig(undefined, sdk)).toBe(sdk);
    expect(translator.fromHookToolConfig({})).toBeUndefined();
  });

  test("travels with the request", () => {
    const base = request("hi", { toolConfig: sdk });
    const changed = translator.fromHookLLMRequest({ toolConfig: { mode: "NONE", allowedFunctionNames: [] } }, base);
    expect(changed.config?.toolConfig?.functionCallingConfig).toEqual({
      mode: "NONE",
      allowedFunctionNames: [],
      streamFunctionCallArguments: true,
    });
  });
});

function response(...candidates: Candidate[]): GenerateContentResponse {
  return Object.assign(new GenerateContentResponse(), { candidates, modelVersion: "v1", responseId: "r1" });
}

describe("a response", () => {
  const RATING = { category: HarmCategory.HARM_CATEGORY_HARASSMENT, blocked: true, severityScore: 0.1 };
  const parts = [{ text: "hm", thought: true }, { text: "I " }, { text: "read" }, CALL];
  const candidate: Candidate = {
    content: { role: "model", parts },
    finishReason: FinishReason.STOP,
    index: 0,
    safetyRatings: [RATING],
    citationMetadata: { citations: [] },
  };
  const usageMetadata = { promptTokenCount: 1, totalTokenCount: 3, thoughtsTokenCount: 2 };
  const base = () => Object.assign(response(candidate), { usageMetadata });
  const shown: LLMResponse = {
    text: "I read",
    candidates: [
      {
        content: { role: "model", parts: [{ type: "thought", text: "hm" }, "I ", "read", SHOWN_CALL] },
        finishReason: "STOP",
        index: 0,
        safetyRatings: [RATING],
      },
    ],
    usageMetadata,
  };
  const withParts = (...changed: LLMResponse["candidates"][number]["content"]["parts"]): LLMResponse => ({
    candidates: [{ content: { role: "model", parts: changed } }],
  });

  test("shows its text, calls, ratings and counts", () => {
    expect(translator.toHookLLMResponse(base())).toEqual(shown);
  });

  test.each<[string, GenerateContentResponse, LLMResponse]>([
    ["nothing in it", new GenerateContentResponse(), { candidates: [] }],
    [
      "a candidate without content",
      response({ finishReason: FinishReason.SAFETY }),
      { candidates: [{ content: { role: "model", parts: [] }, finishReason: "SAFETY" }] },
    ],
    ["a hole for a candidate", response(null as never), { candidates: [{ content: { role: "model", parts: [] } }] }],
    [
      "only a call",
      response({ content: model(CALL) }),
      { candidates: [{ content: { role: "model", parts: [SHOWN_CALL] } }] },
    ],
    [
      "an empty text",
      response({ content: model({ text: "" }) }),
      { text: "", candidates: [{ content: { role: "model", parts: [""] } }] },
    ],
  ])("with %s has a form for hooks, too", (_name, sdk, expected) => {
    expect(llmResponse.parse(translator.toHookLLMResponse(sdk))).toEqual(expected);
    expect(translator.fromHookLLMResponse(overJson(expected), sdk)).toBe(sdk);
  });

  test("that comes back unchanged, whole or in part, is the very response", () => {
    const sdk = base();
    expect(translator.fromHookLLMResponse(overJson(shown), sdk)).toBe(sdk);
    expect(
      translator.fromHookLLMResponse(withParts({ type: "thought", text: "hm" }, "I ", "read", SHOWN_CALL), sdk),
    ).toBe(sdk);
    expect(translator.fromHookLLMResponse({}, sdk)).toBe(sdk);
    expect(translator.fromHookLLMResponse({ candidates: [null] } as never, sdk)).toBe(sdk);
  });

  test("with a changed text is still the SDK's object, with its calls and all that hooks cannot see", () => {
    silenceSdk();
    const sdk = base();
    const changed = translator.fromHookLLMResponse(
      overJson(withParts({ type: "thought", text: "hm" }, "You ", "read", SHOWN_CALL)),
      sdk,
    );
    expect(changed).toBeInstanceOf(GenerateContentResponse);
    expect(changed).toEqual(
      Object.assign(
        response({
          ...candidate,
          content: model({ text: "hm", thought: true }, { text: "You " }, { text: "read" }, CALL),
        }),
        { usageMetadata },
      ),
    );
    expect(changed.text).toBe("You read");
    expect(changed.functionCalls?.[0]).toBe(CALL.functionCall);
    expect(sdk).toEqual(base());
  });

  test.each<[string, Partial<LLMResponse>, Part[]]>([
    ["a call taken out is not made", withParts("I ", "read"), [{ text: "I " }, { text: "read" }]],
    [
      "a call added is made",
      withParts({ type: "thought", text: "hm" }, "I ", "read", SHOWN_CALL, { type: "functionCall", name: "g" }),
      [...parts, { functionCall: { name: "g" } }],
    ],
    [
      "text alone, beside candidates as they were",
      { ...shown, text: "No" },
      [{ text: "hm", thought: true }, { text: "No" }, CALL],
    ],
    [
      "text alone, beside no candidates",
      { text: "No", candidates: [] },
      [{ text: "hm", thought: true }, { text: "No" }, CALL],
    ],
    ["text alone, without candidates", { text: "No" }, [{ text: "hm", thought: true }, { text: "No" }, CALL]],
    [
      "text beside changed candidates, which speak for themselves",
      { ...withParts("Yes"), text: "No" },
      [{ text: "Yes" }],
    ],
    ["text beside candidates that say nothing", { ...withParts(), text: "No" }, [{ text: "No" }]],
    ["nothing but emptied candidates", withParts(), []],
  ])("%s", (_name, changed, expected) => {
    const made = translator.fromHookLLMResponse(overJson(changed), base());
    expect(made.candidates).toEqual([{ ...candidate, content: { role: "model", parts: expected } }]);
  });

  test("takes a changed reason to finish, changed ratings and counts, and refuses others", () => {
    const fields = { finishReason: "SAFETY", index: "x", safetyRatings: [], citationMetadata: "x" };
    const changed = translator.fromHookLLMResponse(
      {
        candidates: [{ ...shown.candidates[0], ...fields }],
        usageMetadata: { totalTokenCount: 9, thoughtsTokenCount: "x", wings: 2 },
      } as never,
      base(),
    );
    expect(changed.candidates).toEqual([{ ...candidate, finishReason: "SAFETY", safetyRatings: [] }]);
    expect(changed.candidates?.[0]?.content).toBe(candidate.content);
    expect(changed.usageMetadata).toEqual({ ...usageMetadata, totalTokenCount: 9 });
  });

  test("given as a plain object is answered with one whose getters tell the truth", () => {
    const plain = {
      candidates: [{ content: model({ text: "old" }) }],
      text: "old",
      modelVersion: "v1",
    } as GenerateContentResponse;
    const changed = translator.fromHookLLMResponse({ text: "new" }, plain);
    expect(changed.text).toBe("new");
    expect({ ...changed }).toEqual({ candidates: [{ content: model({ text: "new" }) }], modelVersion: "v1" });
  });

  test("of a hook's own reads like the SDK's", () => {
    const made = translator.fromHookLLMResponse({
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { type: "thought", text: "hm" },
              "Hel",
              "lo",
              { type: "functionCall", name: "f", args: { a: 1 } },
              { type: "inlineData", mimeType: "a/b", data: "YWI=" },
              { type: "inlineData", mimeType: "a/b", data: "Yw==" },
              { type: "executableCode", language: "PYTHON", code: "1" },
              { type: "codeExecutionResult", outcome: "OUTCOME_OK", output: "2" },
            ],
          },
        },
      ],
      usageMetadata: { promptTokenCount: 5 },
    });
    const real = Object.assign(new GenerateContentResponse(), { ...made });
    silenceSdk();
    const read = ({
      text,
      functionCalls,
      data,
      executableCode,
      codeExecutionResult,
      initialPromptTokenCount,
    }: GenerateContentResponse) => ({
      text,
      functionCalls,
      data,
      executableCode,
      codeExecutionResult,
      initialPromptTokenCount,
    });
    expect(read(made)).toEqual({
      text: "Hello",
      functionCalls: [{ name: "f", args: { a: 1 } }],
      data: "YWJj",
      executableCode: "1",
      codeExecutionResult: "2",
      initialPromptTokenCount: 5,
    });
    expect(read(real)).toEqual(read(made));
    expect(made.candidates?.[0]).toMatchObject({ content: { role: "model" }, finishReason: "STOP" });
  });

  test.each<[string, Partial<LLMResponse>, Candidate[]]>([
    ["a text", { text: "hi" }, [{ content: model({ text: "hi" }), finishReason: FinishReason.STOP }]],
    [
      "a text beside no candidates",
      { text: "hi", candidates: [] },
      [{ content: model({ text: "hi" }), finishReason: FinishReason.STOP }],
    ],
    [
      "a reason to finish",
      { candidates: [{ content: { role: "model", parts: ["x"] }, finishReason: "MAX_TOKENS" }] },
      [{ content: model({ text: "x" }), finishReason: FinishReason.MAX_TOKENS }],
    ],
    ["nothing", {}, []],
  ])("of a hook's own can be %s", (_name, changed, candidates) => {
    const made = translator.fromHookLLMResponse(changed);
    expect(made.candidates).toEqual(candidates);
    expect(made.functionCalls).toBeUndefined();
    expect(made.data).toBeUndefined();
  });
});

/** The SDK's own getters warn about parts of several kinds; nobody has to read that in the output of the tests. */
function silenceSdk(): void {
  const { warn } = console;
  console.warn = () => {};
  onTestFinished(() => {
    console.warn = warn;
  });
}
