import { expect, test } from "vitest";
import { callsOf, contentOf, responseParts, textOf, thoughtsOf } from "../../src/agent/content.ts";
import { type CallStatus, statusOf, stoppedBy } from "../../src/agent/turnResult.ts";
import { responseFrom } from "../../src/models/response.ts";

const CALL = { id: "1", name: "read_file", args: {} };
const PICTURE = { inlineData: { mimeType: "image/png", data: "AA==" } };

test("text, thoughts and calls of an answer are told apart", () => {
  const parts = [{ text: "Hm", thought: true }, { text: "It " }, { functionCall: CALL }, { text: "is." }];
  const content = { role: "model", parts };
  expect([textOf(content), thoughtsOf(content), callsOf(content)]).toEqual(["It is.", "Hm", [CALL]]);
  expect([textOf(undefined), thoughtsOf(undefined), callsOf(undefined)]).toEqual(["", "", []]);
});

test("an answer without parts is none, and one without a role is the model's", () => {
  expect(contentOf(responseFrom({ candidates: [{ content: { role: "model", parts: [] } }] }))).toBeUndefined();
  expect(contentOf(responseFrom({}))).toBeUndefined();
  const parts = [{ text: "Hi" }];
  expect(contentOf(responseFrom({ candidates: [{ content: { parts } }] }))).toEqual({ role: "model", parts });
});

const response = (answer: object) => ({ functionResponse: { id: "1", name: "read_file", response: answer } });

test.each([
  ["text", { llmContent: "A", returnDisplay: "" }, [response({ output: "A" })]],
  ["texts", { llmContent: ["A", { text: "B" }], returnDisplay: "" }, [response({ output: "A\nB" })]],
  ["a picture", { llmContent: ["A", PICTURE], returnDisplay: "" }, [response({ output: "A" }), PICTURE]],
  ["nothing", { llmContent: "", returnDisplay: "" }, [response({ output: "" })]],
  ["a failure", { llmContent: PICTURE, returnDisplay: "", error: { message: "No" } }, [response({ error: "No" })]],
])("a result that is %s reaches the model", (_, result, parts) => {
  expect(responseParts(CALL, result)).toEqual(parts);
});

test.each<[string | undefined, CallStatus]>([
  ["blocked_by_hook", "blocked"],
  ["stopped_by_hook", "blocked"],
  ["not_approved", "denied"],
  ["cancelled", "cancelled"],
  ["invalid_tool_params", "error"],
  ["execution_failed", "error"],
  [undefined, "error"],
])("a failure of type %s is told as %s", (type, status) => {
  const error = { message: "No", ...(type === undefined ? {} : { type }) };
  expect(statusOf({ llmContent: "", returnDisplay: "", error })).toBe(status);
  expect(statusOf({ llmContent: "", returnDisplay: "" })).toBe("success");
});

test("a turn that was stopped names all who did, and has a reason in any case", () => {
  const by = { event: "BeforeTool", hook: "one, two", reason: "Enough" };
  expect(stoppedBy("BeforeTool", { reason: "Enough", objectors: ["one", "two"] })).toEqual({ kind: "stopped", by });
  expect(stoppedBy("X", {})).toEqual({ kind: "stopped", by: { event: "X", hook: "", reason: "No reason provided" } });
});
