import { describe, expect, test } from "vitest";
import type { Entry } from "../../src/records/entry.ts";
import { Redaction } from "../../src/redaction/redaction.ts";
import { rowsOf } from "../../src/writer/entryRows.ts";
import { Withholding } from "../../src/writer/withheld.ts";
import { call, event, runIn } from "../support/entries.ts";
import { eventEntry } from "../support/journalFixtures.ts";

/** Redaction is what these tests are about; nothing else is left out. */
const ORIGINALS = new Withholding(Buffer.alloc(32), "kept");
const LIVE = "value-of-a-withheld-variable";
const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4)}`;
const redaction = (payloadBytes = 65_536) => new Redaction({ keys: [], patterns: [], values: [LIVE], payloadBytes });
const rows = (entry: Entry) => rowsOf(entry, redaction(), ORIGINALS);
const bodyOf = (entry: Entry) => JSON.parse(rows(entry)[0]?.body ?? "");

const COMMAND = `curl -H 'Authorization: Bearer ${TOKEN}' https://me:hunter2@host/?token=hunter2`;
const SHOWN = "curl -H 'Authorization: [redacted] [redacted]' https://me:[redacted]@host/?token=[redacted]";
const HOOK = { name: COMMAND, source: "project", type: "command", place: `/${TOKEN}/settings.json:1:2` };

describe("wherever text comes from, a secret in it reaches no row", () => {
  const at = event(1);
  const ENTRIES: readonly Entry[] = [
    event(1, { session: LIVE, subject: LIVE, runs: [runIn(at, { hook: HOOK, session: LIVE })] }),
    event(1, { skipped: [{ hook: HOOK, reason: `no ${TOKEN}` }] }),
    event(1, { rewrites: [{ path: ["tool_input", TOKEN], before: 1, after: LIVE, hook: COMMAND }] }),
    runIn(at, { hook: HOOK, reason: LIVE }),
    call(1, { callId: LIVE, subject: LIVE, status: LIVE, session: TOKEN }),
    { ...call(1), kind: "unmatched", counts: { [LIVE]: 1 } },
    { ...call(1), kind: "late", session: LIVE },
    {
      ...call(1),
      kind: "approval",
      callId: TOKEN,
      subject: LIVE,
      approved: true,
      by: "person",
      hooks: [COMMAND],
      input: { a: LIVE },
    },
  ];
  test.each(ENTRIES)("of kind $kind", (entry) => {
    const written = JSON.stringify(rows(entry));
    expect(written).toContain("[redacted]");
    for (const secret of [LIVE, TOKEN, "hunter2"]) expect(written).not.toContain(secret);
  });
});

test("a hook that is called by its command is counted under what is left of it", () => {
  const [row] = rows(runIn(event(1), { hook: HOOK }));
  const hook = { name: SHOWN, source: "project", type: "command", place: "/[redacted]/settings.json:1:2" };
  expect(row).toMatchObject({ hook: SHOWN, mention: { hook } });
  // The input is whole, so that it can be replayed.
  expect(JSON.parse(row?.body ?? "")).not.toHaveProperty("redacted");
});

test("a session whose id is hidden stays one, apart from others", () => {
  const same = redaction();
  const sessions = [LIVE, TOKEN, LIVE, "s1"].map(
    (session) => rowsOf(event(1, { session }), same, ORIGINALS)[0]?.session,
  );
  expect(sessions[0]).toMatch(/^\[redacted\] [0-9a-f]{8}$/);
  expect(sessions[2]).toBe(sessions[0]);
  expect(sessions[1]).not.toBe(sessions[0]);
  expect(sessions[3]).toBe("s1");
});

test("without room for payloads, hooks have their names", () => {
  const entry = event(1, {
    runs: [runIn(event(1))],
    rewrites: [{ path: ["tool_input", "x"], before: "y", after: "z", hook: "guard" }],
  });
  const [row, run] = rowsOf(entry, redaction(0), ORIGINALS);
  expect([row?.session, row?.event, run?.hook]).toEqual(["session-one", "BeforeTool", "guard"]);
  expect(JSON.parse(row?.body ?? "").rewrites).toEqual([
    { path: ["[redacted]", "[redacted]"], before: "[redacted]", after: "[redacted]", hook: "guard" },
  ]);
});

const rewrite = (path: readonly string[], before: unknown, after: unknown) => ({ path, before, after, hook: "h" });
const rewritten = (tool_input: unknown, ...rewrites: readonly ReturnType<typeof rewrite>[]) =>
  bodyOf(eventEntry(1, { input: { tool_input }, rewrites }));

test.each([
  ["its own name", { password: "x" }, ["tool_input", "password"]],
  ["what stands beside it", { name: "API_KEY", value: "x" }, ["tool_input", "value"]],
  ["a name further up", { credentials: { user: "x" } }, ["tool_input", "credentials", "user"]],
  ["a name further up that was not there", {}, ["tool_input", "credentials", "user"]],
])("what is rewritten is hidden by %s", (_, input, path) => {
  const body = rewritten(input, rewrite(path, "was", "is"));
  expect(body.rewrites).toEqual([{ path, before: "[redacted]", after: "[redacted]", hook: "h" }]);
  expect(body.redacted).toBe(true);
});

test("what is rewritten is hidden by a name that is rewritten beside it", () => {
  const body = rewritten(
    { name: "HOME", value: "/home/me" },
    rewrite(["tool_input", "name"], "HOME", "API_KEY"),
    rewrite(["tool_input", "value"], "/home/me", "s3cret"),
  );
  expect(body.rewrites[1]).toMatchObject({ before: "[redacted]", after: "[redacted]" });
});

test("other rewrites stay as they are, also of what was not there, or is none", () => {
  const path = ["tool_input", "value"];
  const body = rewritten({ name: "HOME" }, rewrite(path, undefined, "x"), rewrite(["tool_input", "token"], null, true));
  expect(body.rewrites).toEqual([
    { path, after: "x", hook: "h" },
    { path: ["tool_input", "token"], before: null, after: true, hook: "h" },
  ]);
  expect(body.redacted).toBeUndefined();
});
