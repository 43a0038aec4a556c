import type { Content } from "@google/genai";
import fc from "fast-check";
import { expect, test } from "vitest";
import { completeHistory, INTERRUPTED } from "../../src/agent/completeHistory.ts";
import { contents, expectAnswered } from "../support/conversation.ts";

const said = (text: string): Content => ({ role: "user", parts: [{ text }] });
const called = (...ids: string[]): Content => ({
  role: "model",
  parts: ids.map((id) => ({ functionCall: { id, name: `tool-${id}`, args: {} } })),
});
const answered = (...ids: string[]): Content => ({
  role: "user",
  parts: ids.map((id) => ({ functionResponse: { id, name: `tool-${id}`, response: { output: "done" } } })),
});
const closed = (...ids: string[]): Content => ({
  role: "user",
  parts: ids.map((id) => ({ functionResponse: { id, name: `tool-${id}`, response: { error: INTERRUPTED } } })),
});

test.each<[string, Content[], Content[]]>([
  [
    "a whole conversation stays as it is",
    [said("a"), called("1"), answered("1")],
    [said("a"), called("1"), answered("1")],
  ],
  ["a call at the end is closed", [said("a"), called("1", "2")], [said("a"), called("1", "2"), closed("1", "2")]],
  ["a call before a prompt is closed", [called("1"), said("b")], [called("1"), closed("1"), said("b")]],
  [
    "a response that has some is filled up",
    [called("1", "2"), answered("1")],
    [called("1", "2"), { role: "user", parts: [...(answered("1").parts ?? []), ...(closed("2").parts ?? [])] }],
  ],
  ["nothing is nothing", [], []],
])("%s", (_, before, after) => {
  expect(completeHistory(before)).toEqual(after);
});

test("calls without ids are told apart by their names", () => {
  const call = (name: string) => ({ functionCall: { name, args: {} } });
  const response = (name: string, error?: string) => ({
    functionResponse: { name, response: error === undefined ? { output: "done" } : { error } },
  });
  const complete = completeHistory([
    { role: "model", parts: [call("a"), call("b")] },
    { role: "user", parts: [response("a")] },
  ]);
  expect(complete[1]?.parts).toEqual([response("a"), response("b", INTERRUPTED)]);
});

/** A session in good order: prompts, and answers with any number of calls, each followed by the responses. */
const session = fc.array(fc.nat(3), { maxLength: 6 }).map((counts) =>
  counts.flatMap((count, turn) => {
    const ids = Array.from({ length: count }, (_, index) => `${turn}-${index}`);
    return [said(`prompt ${turn}`), ...(count > 0 ? [called(...ids), answered(...ids)] : [])];
  }),
);

test("wherever a session breaks off, what is left of it can be sent, and nothing of it is lost", () => {
  fc.assert(
    fc.property(session, fc.nat(), (whole, at) => {
      const left = whole.slice(0, at % (whole.length + 1));
      const complete = completeHistory(left);
      expectAnswered(contents.parse(complete));
      expect(complete.slice(0, left.length)).toEqual(left);
      expect(completeHistory(complete)).toEqual(complete);
    }),
  );
});
