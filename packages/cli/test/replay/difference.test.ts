import { describe, expect, test } from "vitest";
import type { LogItem } from "../../../journal/src/queries/logItems.ts";
import type { JournalRecord, RecordBody } from "../../../journal/src/records/record.ts";
import { aspectsOf } from "../../src/replay/difference.ts";
import { recordedVerdict, type Verdict } from "../../src/replay/verdict.ts";
import { whyNotComparable } from "../../src/replay/whyNotComparable.ts";

const ALLOWED: Verdict = { decision: "allow", reason: undefined, hooks: [], rewrites: [], failures: [] };
const blocked = (reason: string): Verdict => ({ ...ALLOWED, decision: "block", reason, hooks: ["h"] });
const rewritten = (...values: readonly unknown[]): Verdict => ({
  ...ALLOWED,
  rewrites: values.map((after) => ({ path: ["tool_input", "a"], before: 0, after, hook: "h" })),
});

test.each<[string, Verdict, Verdict, readonly string[]]>([
  ["nothing", ALLOWED, ALLOWED, []],
  ["the decision", ALLOWED, blocked("a"), ["decision"]],
  ["the reason", blocked("a"), blocked("b"), ["reason"]],
  ["who says the same", blocked("a"), { ...blocked("a"), hooks: ["other"] }, []],
  ["a value", rewritten(1), rewritten(2), ["rewrites"]],
  ["a rewrite that is gone", rewritten(1), ALLOWED, ["rewrites"]],
  ["what came before the final value", rewritten(1, 2), rewritten(2), []],
  ["what JSON does not know", rewritten({ a: 1 }), rewritten({ a: 1, b: undefined }), []],
  ["the order of keys", rewritten({ a: 1, b: 2 }), rewritten({ b: 2, a: 1 }), []],
  [
    "a rewrite of what is blocked anyway",
    { ...rewritten(1), ...blocked("a"), rewrites: rewritten(1).rewrites },
    blocked("a"),
    [],
  ],
])("two verdicts that differ in %s", (_, before, after, expected) => {
  expect(aspectsOf(before, after)).toEqual(expected);
});

function record(kind: "event" | "run", outcome: string, body: RecordBody, hook?: string): JournalRecord {
  const when = { id: 1, at: 0, session: "s", turn: 1, durationUs: 1 };
  return { ...when, kind, eventId: "e", event: "BeforeTool", subject: "glob", hook, outcome, body };
}

const run = (hook: string, outcome: string, more: RecordBody = {}, source = "project") =>
  record("run", outcome, { applied: true, hook: { source, type: "command" }, ...more }, hook);

function item(outcome: string, body: RecordBody, ...hooks: readonly JournalRecord[]): LogItem {
  return { record: record("event", outcome, { input: {}, ...body }), hooks };
}

describe("a recorded event", () => {
  const rewrites = [{ path: ["tool_input"], before: 1, after: 2, hook: "r" }];

  test.each<[string, LogItem, string | undefined]>([
    ["of the project's hooks", item("block", {}, run("h", "block")), undefined],
    [
      "with a hook of the user that allowed",
      item("block", {}, run("h", "block"), run("u", "allow", {}, "user")),
      undefined,
    ],
    [
      "with a hook of the user that looked on",
      item("allow", {}, run("u", "block", { applied: false }, "user")),
      undefined,
    ],
    [
      "that a hook of the user blocked",
      item("block", {}, run("u", "block", {}, "user")),
      "hook u is not a project hook (user)",
    ],
    [
      "that a hook of the user asked about, and another blocked",
      item("block", {}, run("h", "block"), run("u", "ask", {}, "user")),
      undefined,
    ],
    [
      "that the system rewrote",
      item("allow", { rewrites }, run("r", "allow", {}, "system")),
      "hook r is not a project hook (system)",
    ],
    ["that a skipped hook blocked", item("block", {}, run("skipped", "block")), "hook skipped is replay: skip"],
    ["that a skipped hook allowed", item("allow", {}, run("skipped", "allow")), undefined],
    [
      "that the gate blocked",
      item("block", {}, run("h", "block", { failure: "untrusted" })),
      "hook h was not trusted then",
    ],
    [
      "that was cancelled",
      item("stop", {}, run("h", "failed", { failure: "aborted" })),
      "it was cancelled while its hooks were running",
    ],
    ["without an input", item("allow", { input: "?" }), "its record cannot be read"],
  ])("%s", (_, given, why) => {
    expect(whyNotComparable(given, (_event, hook) => hook === "skipped")).toBe(why);
  });

  test("is told with those who objected, once each, and those who failed", () => {
    const given = item(
      "block",
      { reason: "No\nEnough" },
      run("a", "block"),
      run("a", "block", { pass: "second" }),
      run("b", "stop"),
      run("c", "ask"),
      run("d", "failed", { reason: "timed out after 5 ms" }),
      run("e", "block", { applied: false }),
    );
    expect(recordedVerdict(given)).toEqual({
      decision: "block",
      reason: "No\nEnough",
      hooks: ["a", "b"],
      rewrites: [],
      failures: [{ hook: "d", what: "timed out after 5 ms" }],
    });
  });
});
