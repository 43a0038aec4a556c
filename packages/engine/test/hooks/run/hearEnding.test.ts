import { expect, test } from "vitest";
import { EVENTS } from "../../../src/events/catalog.ts";
import type { Ending } from "../../../src/hooks/answer/ending.ts";
import { hearEnding } from "../../../src/hooks/run/hearEnding.ts";

const HOOK = { name: "guard", eventName: "BeforeTool" };
const hear = (ending: Ending) => hearEnding(ending, EVENTS.BeforeTool, HOOK);
const returned = (value: unknown) => hear({ kind: "returned", value });
const answered = (line: string) => {
  const { output: value } = JSON.parse(line);
  return hear({ kind: "answered", value, beside: undefined, line, stderr: "" });
};

test.each([
  ["a verdict", { decision: "allow" }, []],
  ["a verdict with a message", { decision: "allow", systemMessage: "fine" }, ["fine"]],
])("a consent is heard: %s", (_, output, messages) => {
  const line = JSON.stringify({ id: 1, output });
  for (const heard of [returned(output), answered(line)]) {
    expect(heard).toMatchObject({ answer: { allows: true, blocks: false, messages }, output, notes: [] });
    expect(heard.failure ?? heard.badAnswer).toBeUndefined();
  }
});

const hidden = (key: string, value: unknown) => Object.defineProperty({ decision: "allow" }, key, { value });

test.each([
  ["in a hidden field", hidden("continue", false)],
  ["beside a symbol", { decision: "allow", continue: false, [Symbol("x")]: 1 }],
  ["beside a message", { decision: "allow", systemMessage: "fine", continue: false }],
  ["in place of a message", { decision: "allow", systemMessage: undefined, continue: false }],
  ["behind a proxy", new Proxy({ decision: "allow", continue: false }, { ownKeys: () => ["decision"] })],
])("an objection beside a consent is heard: %s", (_, value) => {
  expect(returned(value).answer).toMatchObject({ stops: true });
});

test("a getter that changes its mind is read once", () => {
  let reads = 0;
  const value = {
    get decision() {
      reads += 1;
      return reads === 1 ? "deny" : "allow";
    },
  };
  expect(returned(value).answer).toMatchObject({ blocks: true });
});

test("an objection in a field that a consent replaced is heard", () => {
  const line = '{"id":1,"output":{"decision":"deny","reason":"no","decision":"allow"}}';
  expect(answered(line).answer).toMatchObject({ blocks: true });
});

const revoked = Proxy.revocable({}, {});
revoked.revoke();
const throwing = {
  get decision(): string {
    throw new Error("unreadable");
  },
};

test.each([
  ["a revoked proxy", revoked.proxy],
  ["a getter that throws", throwing],
])("what cannot be read is not a consent: %s", (_, value) => {
  expect(returned(value).answer?.allows ?? false).toBe(false);
});
