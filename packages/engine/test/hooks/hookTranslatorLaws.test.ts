import {
  type Candidate,
  type Content,
  type FinishReason,
  type GenerateContentConfig,
  type GenerateContentParameters,
  GenerateContentResponse,
  Language,
  Outcome,
  type Part,
} from "@google/genai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type LLMRequest, llmRequest, llmResponse } from "../../src/events/modelSchemas.ts";
import { defaultHookTranslator as translator } from "../../src/hooks/hookTranslator.ts";

type Message = LLMRequest["messages"][number];

// Few texts, so that equal neighbours, where a mapping can go wrong, are common.
const text = fc.oneof({ weight: 3, arbitrary: fc.constantFrom("", "ok", "a\nb") }, fc.string({ unit: "grapheme" }));
const signature = fc.record({ thoughtSignature: fc.base64String() }, { requiredKeys: [] });
const name = fc.constantFrom("read", "write");
const json = fc.dictionary(fc.constantFrom("a", "b", "__proto__"), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });
const blob = fc.record({
  mimeType: fc.constantFrom("image/png", "audio/wav"),
  data: fc.base64String({ minLength: 4 }),
});
const call = fc.record({ name, args: json, id: fc.constantFrom("1", "2") }, { requiredKeys: ["name"] });
const result = fc.record(
  { name, response: json, parts: fc.array(fc.record({ inlineData: blob }), { maxLength: 2 }) },
  { requiredKeys: ["name", "response"] },
);

const plain: fc.Arbitrary<Part> = fc.tuple(text, signature).map(([said, hidden]) => ({ text: said, ...hidden }));
const data: fc.Arbitrary<Part> = fc.oneof<fc.Arbitrary<Part>[]>(
  fc.record({ inlineData: blob }),
  fc.record({ fileData: fc.record({ fileUri: text, mimeType: fc.constant("a/b") }) }),
  fc.record({ executableCode: fc.record({ code: text, language: fc.constant(Language.PYTHON) }) }),
  fc.record({ codeExecutionResult: fc.record({ output: text, outcome: fc.constant(Outcome.OUTCOME_OK) }) }),
);
const typed: fc.Arbitrary<Part> = fc.oneof<fc.Arbitrary<Part>[]>(
  data,
  fc.record({ functionResponse: result }),
  fc.tuple(call, signature).map(([functionCall, hidden]) => ({ functionCall, ...hidden })),
  fc.tuple(text, signature).map(([said, hidden]) => ({ text: said, thought: true, ...hidden })),
  fc.constantFrom<Part>({}, { audioTranscription: { text: "future" } }).map((part) => ({ ...part })),
);
const parts = fc.array(fc.oneof(plain, typed), { maxLength: 4 });
const content: fc.Arbitrary<Content> = fc.record(
  { role: fc.constantFrom("user", "model", "function"), parts },
  { requiredKeys: ["role"] },
);
const contents = fc.array(content, { maxLength: 6 });
const someContents = fc.array(content, { minLength: 1, maxLength: 6 });
const anyForm: fc.Arbitrary<GenerateContentParameters["contents"]> = fc.oneof(
  text,
  plain,
  data,
  content,
  contents,
  fc.array(fc.oneof(text, plain, data), { minLength: 1, maxLength: 4 }),
);
const instruction = fc.oneof(text, plain, content, fc.array(fc.oneof(text, plain), { minLength: 1, maxLength: 3 }));
const config: fc.Arbitrary<GenerateContentConfig> = fc.record(
  {
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    topK: fc.integer(),
    stopSequences: fc.array(text, { maxLength: 2 }),
    labels: fc.constant({ team: "x" }),
    systemInstruction: instruction,
    abortSignal: fc.constant(new AbortController().signal),
    tools: fc.constant([{ functionDeclarations: [{ name: "read", parameters: {} }] }]),
  },
  { requiredKeys: [] },
);
const request = fc
  .record({ model: fc.constant("gemini"), contents: anyForm, config }, { requiredKeys: ["model", "contents"] })
  .map(frozen);

/** So that a change of an input throws. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof AbortSignal) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}

const overJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));
const shownMessages = (list: readonly Content[]): Message[] =>
  overJson(translator.toHookLLMRequest({ model: "gemini", contents: [...list] }).messages);

/** What the agent gets when a hook answers with these messages. */
function answered(list: readonly Content[], messages: Message[]): Content[] {
  const base = frozen({ model: "gemini", contents: list as Content[] });
  const back = translator.fromHookLLMRequest(overJson({ ...translator.toHookLLMRequest(base), messages }), base);
  return back.contents as Content[];
}

const isPlain = (part: Part) => part.text !== undefined && part.thought !== true;
const typedParts = ({ parts: list = [] }: Content) => list.filter((part) => !isPlain(part));
const spoken = ({ parts: list = [] }: Content) =>
  list
    .filter(isPlain)
    .map((part) => part.text)
    .join("");
const sameObjects = (got: readonly unknown[], expected: readonly unknown[]) => {
  expect(got).toHaveLength(expected.length);
  for (const [index, item] of expected.entries()) expect(got[index]).toBe(item);
};

describe("requests", () => {
  test("have a valid form that survives JSON, and come back as the very objects", () => {
    fc.assert(
      fc.property(request, (base) => {
        const shown = translator.toHookLLMRequest(base);
        expect(llmRequest.parse(shown)).toEqual(shown);
        expect(translator.fromHookLLMRequest(overJson(shown), base)).toBe(base);
        const renamed = translator.fromHookLLMRequest({ ...overJson(shown), model: "other" }, base);
        expect(renamed).toEqual({ ...base, model: "other" });
        expect(renamed.contents).toBe(base.contents);
      }),
      { numRuns: 200 },
    );
  });

  test("have one message per content", () => {
    fc.assert(
      fc.property(contents, (list) => {
        expect(shownMessages(list)).toHaveLength(list.length);
      }),
    );
  });

  test("with one text changed keep everything else, and that content's calls, bytes and thoughts", () => {
    fc.assert(
      fc.property(someContents, fc.nat(), text, (list, at, words) => {
        const index = at % list.length;
        const before = list[index] as Content;
        const messages = shownMessages(list).map((message, place) =>
          place === index ? { ...message, content: words } : message,
        );
        const back = answered(list, messages);
        sameObjects(back.toSpliced(index, 1), list.toSpliced(index, 1));
        const after = back[index] as Content;
        expect(spoken(after)).toBe(words);
        expect(after.role).toBe(before.role);
        sameObjects(typedParts(after), typedParts(before));
        const signatures = ({ parts: all = [] }: Content) => all.flatMap((part) => part.thoughtSignature ?? []);
        expect(signatures(after)).toEqual(signatures(before));
      }),
      { numRuns: 200 },
    );
  });

  test("with one text part changed among others keep every other part", () => {
    const mixed = fc
      .tuple(parts, typed, plain, parts)
      .map(([front, one, words, rest]) => [...front, one, words, ...rest]);
    fc.assert(
      fc.property(contents, mixed, contents, text, (before, list, after, words) => {
        const all = [...before, { role: "model", parts: list }, ...after];
        const messages = shownMessages(all);
        const message = messages[before.length] as Message;
        const index = list.findLastIndex(isPlain);
        const shown = message.parts as { type: string }[];
        message.parts = shown.with(index, { ...(shown[index] as { type: string }), text: words } as { type: string });
        const back = answered(all, messages);
        sameObjects(back.toSpliced(before.length, 1), all.toSpliced(before.length, 1));
        const made = back[before.length]?.parts ?? [];
        sameObjects(made.toSpliced(index, 1), list.toSpliced(index, 1));
        expect(made[index]).toEqual({ ...list[index], text: words });
      }),
      { numRuns: 200 },
    );
  });

  test("with messages deleted keep the others, as the very objects in their order", () => {
    fc.assert(
      fc.property(someContents, fc.func(fc.boolean()), (list, keeps) => {
        const messages = shownMessages(list).filter((_, index) => keeps(index));
        const back = answered(list, messages);
        expect(shownMessages(back)).toEqual(messages);
        // Of two that look the same a hook cannot say which one it means; but each is an original, and none moves.
        const places = back.map((item) => list.indexOf(item));
        expect(places).toEqual([...new Set(places)].filter((place) => place >= 0).sort((a, b) => a - b));
      }),
      { numRuns: 200 },
    );
  });

  test("with a message inserted have it there, and all others untouched", () => {
    const role = fc.constantFrom("user" as const, "model" as const);
    fc.assert(
      fc.property(contents, fc.nat(), role, text, (list, at, who, words) => {
        const messages = shownMessages(list).toSpliced(at % (list.length + 1), 0, { role: who, content: words });
        const back = answered(list, messages);
        expect(shownMessages(back)).toEqual(messages);
        sameObjects(
          back.filter((item) => list.includes(item)),
          list,
        );
      }),
      { numRuns: 200 },
    );
  });

  test("with the instruction changed, removed, added or left out leave the conversation and the settings alone", () => {
    fc.assert(
      fc.property(request, fc.option(text), (base, words) => {
        const shown = overJson(translator.toHookLLMRequest(base));
        const rest = shown.messages.filter(({ role }) => role !== "system");
        const messages: Message[] = words === null ? rest : [{ role: "system", content: words }, ...rest];
        const back = translator.fromHookLLMRequest({ ...shown, messages }, base);
        expect(back.contents).toBe(base.contents);
        expect({ ...back.config, systemInstruction: 0 }).toEqual({ ...base.config, systemInstruction: 0 });
        const systemOf = ({ messages: all }: LLMRequest) => all.filter(({ role }) => role === "system");
        const before = systemOf(shown);
        const [after] = systemOf(translator.toHookLLMRequest(back));
        const isKept = words === null || (words === before[0]?.content && before[0].parts === undefined);
        if (isKept) expect(after).toEqual(before[0]);
        else expect(after?.content).toBe(words === "" ? undefined : words);
      }),
      { numRuns: 200 },
    );
  });

  test("with some settings changed keep all others", () => {
    const changes = fc.record(
      { temperature: fc.constant(0.25), seed: fc.nat(), stopSequences: fc.array(text) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(request, changes, (base, changed) => {
        const back = translator.fromHookLLMRequest(overJson({ config: changed }), base);
        expect({ ...back.config }).toEqual({ ...base.config, ...changed });
        expect(back.contents).toBe(base.contents);
        for (const key of ["tools", "abortSignal", "systemInstruction"] as const) {
          expect(back.config?.[key]).toBe(base.config?.[key]);
        }
      }),
    );
  });
});

describe("whatever a hook answers", () => {
  const type = fc.constantFrom(
    "text",
    "thought",
    "functionCall",
    "functionResponse",
    "inlineData",
    "fileData",
    "other",
    "__proto__",
    "x",
  );
  const keys = ["text", "name", "args", "id", "response", "parts", "mimeType", "data", "bytes", "fileUri", "__proto__"];
  const rubbish = fc
    .tuple(type, fc.dictionary(fc.constantFrom(...keys), fc.oneof(fc.jsonValue({ maxDepth: 2 }), json, text)))
    .map(([kind, fields]) => ({ ...fields, type: kind }));
  const messages = fc.array(
    fc.record(
      {
        role: fc.constantFrom("user", "model", "system"),
        content: fc.oneof(text, fc.array(rubbish, { maxLength: 4 })),
        parts: fc.array(rubbish, { maxLength: 4 }),
      },
      { requiredKeys: ["role", "content"] },
    ),
    { maxLength: 5 },
  );
  const isText = (value: unknown) => value === undefined || typeof value === "string";
  const isObject = (value: unknown) =>
    value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
  const KINDS = [
    "text",
    "functionCall",
    "functionResponse",
    "inlineData",
    "fileData",
    "executableCode",
    "codeExecutionResult",
  ];

  /** Nothing but what the SDK's type has. */
  function isSound(part: Part): boolean {
    const { text: said, functionCall, functionResponse, inlineData, fileData } = part;
    return (
      Object.keys(part).some((key) => KINDS.includes(key)) &&
      [
        said,
        functionCall?.name,
        functionCall?.id,
        functionResponse?.name,
        inlineData?.data,
        inlineData?.mimeType,
        fileData?.fileUri,
      ].every(isText) &&
      [functionCall?.args, functionResponse?.response].every(isObject) &&
      (functionResponse?.parts ?? []).every(isSound)
    );
  }

  test("no rubbish reaches the request, and nothing that was given is changed", () => {
    fc.assert(
      fc.property(request, messages, (base, given) => {
        const answer = JSON.parse(JSON.stringify({ ...translator.toHookLLMRequest(base), messages: given }));
        const originals = new Set(allParts(base));
        const back = translator.fromHookLLMRequest(frozen(answer), base);
        const made = allParts(back).filter((part) => !originals.has(part));
        expect(made.filter((part) => !isSound(part))).toEqual([]);
        expect(llmRequest.safeParse(translator.toHookLLMRequest(back)).success).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  test("no rubbish reaches the response", () => {
    const candidates = fc.array(fc.array(fc.oneof(text, rubbish), { maxLength: 4 }), { maxLength: 3 });
    fc.assert(
      fc.property(fc.option(contents), candidates, (list, given) => {
        const base = list === null ? undefined : frozen(response(list.map((item) => ({ content: item }))));
        const answer = overJson({
          candidates: given.map((all) => ({ content: { role: "model" as const, parts: all } })),
        });
        const back = translator.fromHookLLMResponse(frozen(answer), base);
        const originals = new Set((list ?? []).flatMap((item) => item.parts ?? []));
        const made = (back.candidates ?? [])
          .flatMap((one) => one.content?.parts ?? [])
          .filter((part) => !originals.has(part));
        expect(made.filter((part) => !isSound(part))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  /** The parts of a request, wherever its form keeps them. */
  function allParts({ contents: list, config: settings }: GenerateContentParameters): Part[] {
    return [list, settings?.systemInstruction ?? []].flat(2).flatMap((item): Part[] => {
      if (typeof item === "string") return [];
      return "parts" in item || "role" in item ? ((item as Content).parts ?? []) : [item as Part];
    });
  }
});

function response(candidates: Candidate[]): GenerateContentResponse {
  return Object.assign(new GenerateContentResponse(), { candidates, responseId: "r1" });
}

describe("responses", () => {
  const candidate: fc.Arbitrary<Candidate> = fc.record(
    {
      content: fc.record({ role: fc.constant("model"), parts }, { requiredKeys: [] }),
      finishReason: fc.constantFrom("STOP", "SAFETY") as fc.Arbitrary<FinishReason>,
      index: fc.nat(),
      safetyRatings: fc.array(fc.record({ blocked: fc.boolean() })),
      citationMetadata: fc.constant({ citations: [] }),
    },
    { requiredKeys: [] },
  );
  const anyResponse = fc.array(candidate, { maxLength: 3 }).map((list) => frozen(response(list)));

  test("have a valid form that survives JSON, and come back as the very object", () => {
    fc.assert(
      fc.property(anyResponse, (base) => {
        const shown = translator.toHookLLMResponse(base);
        expect(llmResponse.parse(shown)).toEqual(shown);
        expect(translator.fromHookLLMResponse(overJson(shown), base)).toBe(base);
      }),
      { numRuns: 200 },
    );
  });

  test("with one text part changed keep every other part, field and candidate", () => {
    const mixed = fc.tuple(parts, plain, parts).map(([front, words, rest]) => [...front, words, ...rest]);
    fc.assert(
      fc.property(fc.array(candidate, { maxLength: 2 }), candidate, mixed, text, (others, one, list, words) => {
        const edited: Candidate = { ...one, content: { role: "model", parts: list } };
        const base = frozen(response([...others, edited]));
        const shown = overJson(translator.toHookLLMResponse(base));
        const index = list.findLastIndex(isPlain);
        shown.candidates[others.length]?.content.parts.splice(index, 1, words);
        const back = translator.fromHookLLMResponse(shown, base);
        expect(back).toBeInstanceOf(GenerateContentResponse);
        expect(back.responseId).toBe("r1");
        const made = back.candidates ?? [];
        sameObjects(made.slice(0, -1), others);
        const expected = {
          ...edited,
          content: { role: "model", parts: list.with(index, { ...list[index], text: words }) },
        };
        expect(made.at(-1)).toEqual(expected);
        sameObjects(made.at(-1)?.content?.parts?.toSpliced(index, 1) ?? [], list.toSpliced(index, 1));
      }),
      { numRuns: 200 },
    );
  });

  test("with only `text` changed say that, and keep calls, thoughts and all other candidates", () => {
    fc.assert(
      fc.property(anyResponse, text, (base, words) => {
        const shown = overJson(translator.toHookLLMResponse(base));
        const back = translator.fromHookLLMResponse({ ...shown, text: words }, base);
        const [first] = back.candidates ?? [];
        expect(spoken(first?.content ?? {})).toBe(words);
        sameObjects(typedParts(first?.content ?? {}), typedParts(base.candidates?.[0]?.content ?? {}));
        sameObjects(back.candidates?.slice(1) ?? [], base.candidates?.slice(1) ?? []);
      }),
      { numRuns: 200 },
    );
  });
});
