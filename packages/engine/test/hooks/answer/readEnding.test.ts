import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EVENTS } from "../../../src/events/catalog.ts";
import type { Ending } from "../../../src/hooks/answer/ending.ts";
import { interpretAnswer } from "../../../src/hooks/answer/interpretAnswer.ts";
import { readEnding } from "../../../src/hooks/answer/readEnding.ts";

const exited = (stdout: string, { code = 0, stderr = "" } = {}): Ending => ({
  kind: "exited",
  code,
  stdout,
  stderr,
  stdoutTruncated: false,
  stderrTruncated: false,
  leftBehind: false,
});

const interpret = (ending: Ending) =>
  interpretAnswer(readEnding(ending), EVENTS.BeforeTool, { name: "hook", eventName: "BeforeTool" });

describe("exit 0", () => {
  test.each([
    ["nothing", "", {}],
    ["white space", " \n", {}],
    ["an object", '{"decision":"deny"}', { value: { decision: "deny" } }],
    ["an object after a byte order mark", '\uFEFF{"decision":"deny"}', { value: { decision: "deny" } }],
    ["an object encoded twice", JSON.stringify('{"a":1}'), { value: { a: 1 } }],
    ["a text encoded as JSON", '"hello"', { text: "hello" }],
    ["null", "null", {}],
    ["plain text", "hello", { text: "hello" }],
    ["text and then an object", 'hi {x}\n{"a":{"b":1}}', { roots: [{ a: { b: 1 } }] }],
    ["an array", "[1]", { failure: { kind: "badAnswer" } }],
    ["a number", "42", { failure: { kind: "badAnswer" } }],
    ["a truth value", "true", { failure: { kind: "badAnswer" } }],
    ["something that only begins like an object", "{oops", { failure: { kind: "badAnswer" } }],
    ["two objects, the last an objection", '{"log":1}\n{"decision":"deny"}', { fragments: [{ decision: "deny" }] }],
    [
      "an objection that was cut off",
      '{"decision":"block","reason":"beca',
      { failure: { kind: "badAnswer" }, fragments: [{ decision: "block", reason: "beca" }] },
    ],
  ])("%s", (_name, stdout, expected) => {
    expect(readEnding(exited(stdout))).toMatchObject(expected);
  });

  test("text is kept to 10 KB", () => {
    expect(readEnding(exited("x".repeat(20_000))).text).toHaveLength(10 * 1024);
  });
});

describe("exit 2 blocks, and takes its reason from", () => {
  test.each([
    ["reason on stdout", { stdout: '{"reason":"a"}', stderr: "b" }, "a"],
    ["reason on stderr", { stdout: "", stderr: '{"reason":"c"}' }, "c"],
    ["stderr", { stdout: "text", stderr: "d" }, "d"],
    ["stdout", { stdout: "e", stderr: "" }, "e"],
    ["its name", { stdout: "", stderr: "" }, 'Blocked by hook "hook"'],
    [
      "its name, when it printed an object without a reason",
      { stdout: '{"decision":"allow"}', stderr: "" },
      'Blocked by hook "hook"',
    ],
  ])("%s", (_name, { stdout, stderr }, reason) => {
    const { answer } = interpret(exited(stdout, { code: 2, stderr }));
    expect(answer).toMatchObject({ blocks: true, allows: false, reasons: [reason] });
  });
});

describe("whatever else is wrong", () => {
  const objection = fc.constantFrom(
    { decision: "deny" },
    { decision: "block" },
    { decision: "ask" },
    { continue: false },
    { hookSpecificOutput: { permissionDecision: "deny" } },
  );
  const junk = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 5 });

  test("reading any bytes never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.integer({ min: 0, max: 255 }), (stdout, stderr, code) => {
        interpret(exited(Buffer.from(stdout).toString(), { code, stderr: Buffer.from(stderr).toString() }));
      }),
      { numRuns: 1000 },
    );
  });

  test("an objection is never lost: at any exit code, beside any other fields, after any text", () => {
    fc.assert(
      fc.property(objection, junk, fc.integer({ min: 0, max: 255 }), fc.string(), (object, other, code, log) => {
        const line = JSON.stringify({ ...other, ...object });
        for (const stdout of [line, JSON.stringify(line), `${log.replaceAll(/[{}"[\]]/g, "")}\n${line}`]) {
          const { answer } = interpret(exited(stdout, { code }));
          expect(answer?.blocks || answer?.stops || answer?.asks).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a signal, a timeout and an overrun leave the objection standing", () => {
    const captured = {
      stdout: '{"decision":"deny","reason":"no"}',
      stderr: "",
      stdoutTruncated: false,
      stderrTruncated: false,
    };
    const endings: Ending[] = [
      { kind: "killed", signal: "SIGKILL", ...captured },
      { kind: "timedOut", afterMs: 5, ...captured },
      { kind: "overran", afterMs: 5, value: { decision: "deny", reason: "no" } },
      { kind: "exited", code: 0, leftBehind: false, ...captured, stdoutTruncated: true },
    ];
    for (const ending of endings) {
      expect(readEnding(ending).failure).toBeDefined();
      expect(interpret(ending).answer).toMatchObject({ blocks: true, reasons: ["no"] });
    }
  });

  test("nothing but the objection stands of an answer that failed", () => {
    const { answer } = interpret(
      exited('{"systemMessage":"hi","hookSpecificOutput":{"tool_input":{"a":1}}}', { code: 1 }),
    );
    expect(answer).toBeUndefined();
  });
});

test("what an event does not honour is ignored and said", () => {
  const reading = readEnding(exited('{"decision":"deny","continue":false,"hookSpecificOutput":{"tool_input":{}}}'));
  expect(interpretAnswer(reading, EVENTS.SessionEnd, { name: "hook", eventName: "SessionEnd" })).toMatchObject({
    answer: { blocks: false, stops: false, asks: false },
    ignored: [
      "hookSpecificOutput.tool_input has no effect on this event",
      "this event does not honour a block and continue: false",
    ],
  });
});

test("what AfterTool keeps as data about the result is not called ignored", () => {
  const reading = readEnding(exited('{"hookSpecificOutput":{"hookEventName":"AfterTool","audit_id":"e-1"}}'));
  const { ignored, answer } = interpretAnswer(reading, EVENTS.AfterTool, { name: "hook", eventName: "AfterTool" });
  expect([ignored, answer?.specific]).toEqual([[], { audit_id: "e-1" }]);
});

test("an ask where nobody can be asked counts as a block", () => {
  const reading = readEnding(exited('{"decision":"ask"}'));
  const { answer } = interpretAnswer(reading, EVENTS.BeforeModel, { name: "hook", eventName: "BeforeModel" });
  expect(answer).toMatchObject({ blocks: true, asks: false });
});

test("every answer is consumed: what is not a field of an answer, or belongs to another event, is said", () => {
  const stdout =
    '{"additionalContext":"x","toolConfig":{"mode":"NONE"},"constructor":1,"systemMessage":7,"stopReason":null}';
  expect(interpret(exited(stdout)).ignored).toEqual([
    "additionalContext is not a field of an answer",
    "toolConfig has no effect on this event",
    "constructor is not a field of an answer",
    "systemMessage is not text",
  ]);
});
