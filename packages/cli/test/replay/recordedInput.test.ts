import { expect, test } from "vitest";
import { recordedInput } from "../../src/replay/recordedInput.ts";

const call = { type: "functionCall", name: "glob" };

test("messages of earlier versions get their text and their parts apart; everything else stays as it is", () => {
  const old = [
    { role: "user", content: "go" },
    { role: "model", content: [{ type: "text", text: "I look" }, call] },
    { role: "model", content: [call] },
  ];
  expect(recordedInput({ cwd: "/p", llm_request: { model: "m", messages: old } })).toEqual({
    cwd: "/p",
    llm_request: {
      model: "m",
      messages: [
        { role: "user", content: "go" },
        { role: "model", content: "I look", parts: [{ type: "text", text: "I look" }, call] },
        { role: "model", content: "", parts: [call] },
      ],
    },
  });
  const other = { tool_name: "glob", llm_request: { messages: "none" } };
  expect(recordedInput(other)).toBe(other);
});
