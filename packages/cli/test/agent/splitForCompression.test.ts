import type { Content } from "@google/genai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { splitForCompression } from "../../src/agent/splitForCompression.ts";
import { contents, expectAnswered } from "../support/conversation.ts";

const said = (role: string, length: number): Content => ({ role, parts: [{ text: "x".repeat(length) }] });
const CALL: Content = { role: "model", parts: [{ functionCall: { name: "read_file", args: {} } }] };
const result = (length: number): Content => ({
  role: "user",
  parts: [{ functionResponse: { name: "read_file", response: { output: "x".repeat(length) } } }],
});

test.each<[string, Content[], number | undefined]>([
  ["nothing", [], undefined],
  ["a first prompt", [said("user", 9_000)], undefined],
  ["a first prompt and its first result", [said("user", 10), CALL, result(9_000)], undefined],
  ["a finished turn is older than the next prompt", [said("user", 900), said("model", 900), said("user", 10)], 2],
  ["all of a conversation that nobody waits for", [said("user", 900), said("model", 900)], 2],
  ["the last call and its result stay", [said("user", 10), CALL, result(900), CALL, result(900)], 3],
  ["what is short at the end stays", [said("user", 900), said("model", 900), said("user", 9), said("model", 9)], 2],
])("%s", (_, conversation, older) => {
  expect(splitForCompression(conversation)?.older.length).toBe(older);
});

const turn = fc
  .tuple(
    fc.integer({ min: 1, max: 2_000 }),
    fc.array(fc.integer({ min: 1, max: 2_000 }), { maxLength: 4 }),
    fc.boolean(),
  )
  .map(([length, results, isAnswered]) => [
    said("user", length),
    ...results.flatMap((size) => [CALL, result(size)]),
    ...(isAnswered ? [said("model", length)] : []),
  ]);

test("whatever the conversation, nothing is lost, no call is torn from its result, and what waits for an answer stays", () => {
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 6 }), (turns) => {
      const conversation = turns.flat();
      const split = splitForCompression(conversation);
      if (!split) return;
      expect([...split.older, ...split.recent]).toEqual(conversation);
      expectAnswered(contents.parse(split.older));
      expectAnswered(contents.parse(split.recent));
      if (conversation.at(-1)?.role === "user") expect(split.recent.at(-1)).toBe(conversation.at(-1));
    }),
  );
});
