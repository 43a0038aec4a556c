import type { Part } from "@google/genai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinChunks } from "../../src/models/joinChunks.ts";
import { responseFrom } from "../../src/models/response.ts";

const chunk = (parts: readonly unknown[], more: object = {}) =>
  responseFrom({ candidates: [{ content: { role: "model", parts }, index: 0, ...more }] });
const partsOf = (chunks: Parameters<typeof joinChunks>[0]): Part[] =>
  joinChunks(chunks).candidates?.[0]?.content?.parts ?? [];

test("text of one kind becomes one part, and calls stay where they were", () => {
  const call = { functionCall: { id: "1", name: "read_file", args: { path: "a" } } };
  const parts = partsOf([
    chunk([{ text: "I ", thought: true }]),
    chunk([{ text: "think", thought: true }, { text: "Let " }]),
    chunk([{ text: "me look." }, call]),
    chunk([{ text: "Done" }]),
  ]);
  expect(parts).toEqual([{ text: "I think", thought: true }, { text: "Let me look." }, call, { text: "Done" }]);
});

test("a part with a signature is joined with no other", () => {
  const signed = { text: "b", thoughtSignature: "c2ln" };
  expect(partsOf([chunk([{ text: "a" }]), chunk([signed]), chunk([{ text: "c" }])])).toEqual([
    { text: "a" },
    signed,
    { text: "c" },
  ]);
  const empty = { text: "", thoughtSignature: "c2ln" };
  expect(partsOf([chunk([{ text: "a" }]), chunk([empty])])).toEqual([{ text: "a" }, empty]);
});

test("the last reason and the last usage count, and what came once is kept", () => {
  const joined = joinChunks([
    responseFrom({ responseId: "r1", modelVersion: "m", usageMetadata: { totalTokenCount: 1 } }),
    chunk([{ text: "Hello" }]),
    responseFrom({
      candidates: [{ finishReason: "STOP", content: {} }],
      usageMetadata: { totalTokenCount: 9 },
      responseId: undefined,
    }),
  ]);
  expect({ ...joined }).toEqual({
    responseId: "r1",
    modelVersion: "m",
    usageMetadata: { totalTokenCount: 9 },
    candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [{ text: "Hello" }] } }],
  });
  expect(joined.text).toBe("Hello");
});

test("candidates are told apart by their index", () => {
  const of = (index: number, text: string) => ({ index, content: { role: "model", parts: [{ text }] } });
  const joined = joinChunks([
    responseFrom({ candidates: [of(1, "b"), of(0, "a")] }),
    responseFrom({ candidates: [of(0, "A")] }),
    responseFrom({ candidates: [of(1, "B")] }),
  ]);
  expect(joined.candidates).toEqual([of(0, "aA"), of(1, "bB")]);
});

test("no chunks are a response without candidates", () => {
  expect(joinChunks([]).candidates).toEqual([]);
  expect(joinChunks([]).text).toBeUndefined();
});

test("a text joins to the same response, however it was split", () => {
  const pieces = fc.array(fc.tuple(fc.string(), fc.boolean()), { minLength: 1 });
  fc.assert(
    fc.property(pieces, fc.boolean(), (texts, isThought) => {
      const kind = isThought ? { thought: true } : {};
      const whole = texts.map(([text]) => text).join("");
      // Where the flag is set, a piece begins a new chunk; otherwise it is a further part of the one before.
      const parts: Part[][] = [];
      for (const [text, isNew] of texts) {
        if (isNew || parts.length === 0) parts.push([]);
        parts.at(-1)?.push({ text, ...kind });
      }
      expect(joinChunks(parts.map((list) => chunk(list)))).toEqual(joinChunks([chunk([{ text: whole, ...kind }])]));
    }),
  );
});

test("to join what was joined changes nothing", () => {
  const part = fc.oneof(
    fc.record({ text: fc.string() }),
    fc.record({ text: fc.string(), thought: fc.constant(true) }),
    fc.record({ text: fc.string(), thoughtSignature: fc.base64String() }),
    fc.record({ functionCall: fc.record({ name: fc.string(), args: fc.dictionary(fc.string(), fc.integer()) }) }),
  );
  fc.assert(
    fc.property(fc.array(fc.array(part)), (chunks) => {
      const once = joinChunks(chunks.map((parts) => chunk(parts)));
      expect(joinChunks([once])).toEqual(once);
    }),
  );
});

test("an answer of very many pieces is joined in linear time", { timeout: 60_000 }, () => {
  const chunks = Array.from({ length: 200_000 }, (_, index) =>
    responseFrom({ candidates: [{ content: { parts: [{ text: "a", ...(index % 2 === 0 && { thought: true }) }] } }] }),
  );
  expect(joinChunks(chunks).candidates?.[0]?.content?.parts).toHaveLength(200_000);
});

test("a reason why the answer ended early stays, whatever comes later", () => {
  const reasons = ["SAFETY", "STOP", "FINISH_REASON_UNSPECIFIED"];
  const joined = joinChunks(reasons.map((finishReason) => chunk([{ text: "a" }], { finishReason })));
  expect(joined.candidates?.[0]?.finishReason).toBe("SAFETY");
});
