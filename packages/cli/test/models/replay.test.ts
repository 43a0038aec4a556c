import { HooklineError } from "@hookline/engine";
import { expect, test } from "vitest";
import { openReplay } from "../../src/models/replay.ts";
import { Machine } from "../support/machine.ts";
import { all, failureOf, question, streamText } from "../support/modelCalls.ts";

const says = (text: string) => ({ candidates: [{ content: { role: "model", parts: [{ text }] } }] });
const streamed = (...texts: string[]) => JSON.stringify({ method: "generateContentStream", response: texts.map(says) });
const whole = (text: string) => JSON.stringify({ method: "generateContent", response: says(text) });
const openText = (...lines: string[]) => {
  const machine = new Machine({ "project/answers.jsonl": lines.join("\n") });
  return openReplay("answers.jsonl", machine.project);
};

test("each method has its answers in their order", async () => {
  const model = await openText(streamed("a", "b"), whole("summary"), streamed("c"));
  expect(await streamText(model)).toBe("ab");
  expect(await streamText(model)).toBe("c");
  expect((await model.generateContent(question())).text).toBe("summary");
});

test("chunks stay chunks, and calls can be read as from the SDK", async () => {
  const call = { functionCall: { name: "read_file", args: { path: "a.txt" } } };
  const line = {
    method: "generateContentStream",
    response: [says("x"), { candidates: [{ content: { parts: [call] } }] }],
  };
  const chunks = await all((await openText(JSON.stringify(line))).generateContentStream(question()));
  expect(chunks.map(({ text }) => text)).toEqual(["x", undefined]);
  expect(chunks[1]?.functionCalls).toEqual([call.functionCall]);
});

test("blank lines and comments are skipped, and count as lines", async () => {
  const model = await openText("\ufeff// the first answer", "", streamed("a"), "  // the end  ", "");
  expect(await streamText(model)).toBe("a");
  expect(await failureOf(openText("// one", "", "{"))).toMatchObject({ where: { file: "answers.jsonl", line: 3 } });
});

test("running out names the method, the file and how many answers there were", async () => {
  const model = await openText(whole("x"), streamed("a"), streamed("b"));
  await streamText(model);
  await streamText(model);
  const error = await failureOf(streamText(model));
  expect(error).toBeInstanceOf(HooklineError);
  expect(error).toMatchObject({
    code: "REPLAY_EXHAUSTED",
    message:
      "answers.jsonl: The agent sent more requests than there are recorded answers: the file has 2 answers to generateContentStream.",
  });
});

test.each([
  ["{", "The line is not JSON."],
  ["[]", "The line is not a JSON object."],
  ['{"response":[]}', '"method" is missing.'],
  [
    '{"method":"generateContents","response":{}}',
    'There is no method "generateContents". Did you mean "generateContent"?',
  ],
  ['{"method":"generateContentStream","response":{}}', /^"response" cannot be used: .*expected array/],
  ['{"method":"generateContent","response":[]}', /^"response" cannot be used: .*expected object/],
  ['{"method":"generateContentStream","response":[{"candidates":{}}]}', /^"response.0.candidates" cannot be used/],
  ['{"method":"generateContent"}', /^"response" cannot be used/],
])("the line %s is refused before anything runs", async (line, what) => {
  const error = await failureOf(openText(streamed("fine"), line));
  expect(error).toMatchObject({ code: "REPLAY_INVALID", where: { file: "answers.jsonl", line: 2 } });
  expect(error).toHaveProperty("what", typeof what === "string" ? what : expect.stringMatching(what));
});

test("a field that the SDK computes does no harm in a recording", async () => {
  const line = { method: "generateContent", response: { ...says("real"), text: "forged", functionCalls: [] } };
  expect((await (await openText(JSON.stringify(line))).generateContent(question())).text).toBe("real");
});

test("a recorded refusal of the prompt is an error", async () => {
  const line = { method: "generateContentStream", response: [{ promptFeedback: { blockReason: "SAFETY" } }] };
  const error = await failureOf(streamText(await openText(JSON.stringify(line))));
  expect(error).toMatchObject({ what: "The service refused the prompt (SAFETY).", isTransient: false });
});

test("a file that is not there is said at once", async () => {
  const error = await failureOf(openReplay("none.jsonl", new Machine().project));
  expect(error).toMatchObject({ code: "FILE_UNUSABLE", where: { file: "none.jsonl" } });
});

test("an abort is heard between two chunks", async () => {
  const stop = new AbortController();
  const chunks = (await openText(streamed("a", "b"))).generateContentStream(question(), stop.signal);
  const iterator = chunks[Symbol.asyncIterator]();
  await iterator.next();
  stop.abort(new Error("Enough"));
  expect(await failureOf(Promise.resolve(iterator.next()))).toEqual(new Error("Enough"));
});
