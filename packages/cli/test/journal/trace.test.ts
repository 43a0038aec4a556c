import { expect, test, vi } from "vitest";
import type { EventEntry } from "../../../journal/src/records/entry.ts";
import { widthOf } from "../../src/terminal/table.ts";
import { AgentProject } from "../support/agentProject.ts";
import { Machine } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { call, event, RecordedMachine, runIn } from "./queriesJournal.ts";

vi.setConfig({ testTimeout: 60_000 });

const SLOW = { name: "slow", source: "project", type: "command" };

/** Half a minute: a model, a tool that was blocked, a tool that ran. */
function turn(number: number): RecordedMachine {
  const blocked = event(2, { turn: number, decision: "block", reason: "Not this file.", durationMs: 1_000 });
  const asked: EventEntry = {
    ...blocked,
    runs: [
      runIn(blocked, { outcome: "block", reason: "Not this file.\nNever.", durationMs: 500 }),
      runIn(blocked, { hook: SLOW, outcome: "failed", reason: "timed out after 1 s", durationMs: 1_000 }),
      runIn(blocked, { pass: "second", durationMs: 200 }),
    ],
    skipped: [{ hook: { ...SLOW, name: "third" }, reason: "its project is not trusted" }],
  };
  return new RecordedMachine().append(
    event(0, { event: "SessionStart", subject: "startup", turn: 0, eventId: "5e550000-1" }),
    call(1, { turn: number, what: "model", subject: "gemini-2.5-pro", durationMs: 1_000 }),
    asked,
    call(3, { turn: number, subject: "read_file", durationMs: 7_000 }),
    {
      kind: "approval",
      at: event(4).at,
      session: "session-one",
      turn: number,
      callId: "call-1",
      subject: "read_file",
      approved: true,
      by: "person",
      hooks: [],
      durationMs: 2_000,
      input: {},
    },
    call(1, { turn: number, what: "turn", subject: "turn", status: "finished", durationMs: 9_000 }),
    event(20, { event: "SessionEnd", subject: "exit", turn: 0, eventId: "5e550000-2" }),
  );
}

test("a turn is a waterfall: each bar begins and ends where its time does, hooks below their event", async () => {
  const { code, stdout, stderr } = await turn(1).run(["trace"], { columns: 80 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [head, summary, ...lines] = stdout.trimEnd().split("\n");
  expect(head).toBe("session session-one, turn 1, finished");
  expect(summary).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\d {2}9\.0 s {2}1 event, 3 hook runs, 2 calls$/);
  expect(lines).toEqual([
    "                       0                           9.0 s",
    "model gemini-2.5-pro   ━━━━                                 1.0 s  ✓ success",
    "BeforeTool write_file     ████                              1.0 s  ✗ block",
    "  guard                   ▒▒                               500 ms  ✗ block",
    "    Not this file. …",
    "  slow                    ▒▒▒▒                              1.0 s  ! failed",
    "    timed out after 1 s",
    "  guard (second)          ▒                                200 ms  ✓ allow",
    "  third                   ·                                        – skipped",
    "    its project is not trusted",
    "tool read_file                ━━━━━━━━━━━━━━━━━━━━━━━━━━    7.0 s  ✓ success",
    "approval read_file                ░░░░░░░                   2.0 s  ✓ approved",
  ]);
});

test.each([10, 60, 72, 100, 250])("it fits into %i columns, of which at least 60 are taken", async (columns) => {
  const { stdout } = await turn(1).run(["trace"], { columns });
  const widths = stdout
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((line) => widthOf(line));
  expect(Math.max(...widths)).toBeLessThanOrEqual(Math.max(60, columns));
  expect(stdout).toContain("✗ block");
});

test("an objection that took no effect is told as such; who changed what stands below the event", async () => {
  const plain = event(1, { rewrites: [{ path: ["tool_input", "command"], before: "a", after: "b", hook: "guard" }] });
  const watcher = { hook: { ...SLOW, name: "watcher" }, pass: "observe", applied: false } as const;
  const machine = new RecordedMachine().append({
    ...plain,
    runs: [runIn(plain), runIn(plain, { ...watcher, outcome: "block", reason: "Never." })],
  });
  const { stdout } = await machine.run(["trace"], { columns: 80 });
  const lines = stdout.trimEnd().split("\n").slice(3);
  expect(lines.map((line) => line.replace(/[█▒]+/, " ").replace(/\s+/g, " "))).toEqual([
    "BeforeTool write_file 12 ms ✓ allow",
    " ✎ guard changed tool_input.command",
    " guard 11 ms ✓ allow",
    " watcher 11 ms ○ would block",
    " Never.",
  ]);
  expect(Math.max(...lines.map((line) => widthOf(line)))).toBeLessThanOrEqual(80);
});

test("where nothing happened outside turns, that is said; events that no hook matched are none", async () => {
  const { at, session } = event(1);
  const unmatched = { kind: "unmatched", at, turn: 0, counts: { AfterTool: 3 } } as const;
  const machine = new RecordedMachine().append(
    event(1),
    { ...unmatched, session },
    { ...unmatched, session: "session-two" },
  );
  const errorOf = async (id: string) => JSON.parse((await machine.run(["trace", id, "--json"])).stdout).error;
  expect(await errorOf("session-one:0")).toMatchObject({
    code: "RECORD_UNKNOWN",
    what: "Nothing happened outside the turns of session session-one; its turns are 1 to 1.",
  });
  expect(await errorOf("session-two")).toMatchObject({
    code: "RECORD_UNKNOWN",
    what: "No hook ran in session session-two: there is nothing to trace.",
  });
});

test("where the locale is not UTF-8, bars are letters", async () => {
  const { stdout } = await turn(1).run(["trace"], { env: { LANG: "C" } });
  expect(stdout).toMatch(/^BeforeTool write_file +#+ /m);
  expect(stdout).toMatch(/^tool read_file +=+ /m);
  expect(stdout).not.toContain("█");
});

test.each([
  ["without anything, the last turn of the session heard of last", [], 3],
  ["--last", ["--last"], 3],
  ["an event's id", ["0002aaaa-0000"], 3],
  ["the beginning of an event's id", ["0002"], 3],
  ["an event outside turns", ["5e550000-2"], 0],
  ["a session", ["session-one"], 3],
  ["the beginning of a session", ["--session", "sess"], 3],
  ["a turn of a session", ["session-one:0"], 0],
  ["a turn beside a session", ["--session", "session-one", "--turn", "3"], 3],
])("it is found by %s", async (_, args, number) => {
  const { code, stdout } = await turn(3).run(["trace", ...args, "--json"]);
  expect(code).toBe(0);
  const names = { 0: ["SessionStart", "SessionEnd"], 3: [undefined, "BeforeTool", undefined, "Approval"] }[number];
  const { session, turn: found, steps } = JSON.parse(stdout);
  expect({ session, found, names: steps.map(({ event: name }: { event?: string }) => name) }).toEqual({
    session: "session-one",
    found: number,
    names,
  });
});

test("the event that was asked for is marked", async () => {
  const { stdout } = await turn(1).run(["trace", "0002aaaa"]);
  expect(stdout).toMatch(/^BeforeTool write_file .* block <$/m);
});

test.each([
  [["nothing-like-it"], "RECORD_UNKNOWN", /No event or session here has the id "nothing-like-it"/],
  [["5e550000"], "RECORD_UNKNOWN", /prefix of several ids, such as 5e550000-1 and 5e550000-2/],
  [["5e5"], "RECORD_UNKNOWN", /too short/],
  [["session-one:7"], "RECORD_UNKNOWN", /no turn 7 of session session-one; its turns are 1 to 3/],
  [["--turn", "first"], "OPTION_INVALID", /--turn must be .*, got "first"/],
  [["0002", "--session", "session-one"], "OPTION_INVALID", /An id excludes --last and --session/],
])("trace %j is a mistake that is explained", async (args, code, what) => {
  const { code: exit, stdout } = await turn(3).run(["trace", ...args, "--json"]);
  expect(exit).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({ code, what: expect.stringMatching(what) });
});

test("where nothing was recorded, that is said", async () => {
  const { code, stderr } = await new Machine().cli(["trace"]);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Nothing is recorded here yet.") });
});

test("what is not found in a damaged journal is not said to be unknown", async () => {
  const machine = turn(1);
  machine.tamper((db) => {
    db.exec("PRAGMA writable_schema = ON");
    db.exec("UPDATE sqlite_schema SET rootpage = 900 WHERE name = 'records'");
  });
  const { code, stdout } = await machine.run(["trace", "0002aaaa", "--json"]);
  expect(code).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({
    code: "JOURNAL_UNUSABLE",
    what: expect.stringContaining("damaged"),
  });
});

test("of more than anybody reads, what is around the event is shown", async () => {
  const machine = new RecordedMachine();
  const many = Array.from({ length: 5_000 }, (_, nth) => event(nth % 50, { turn: 0, eventId: `${10_000 + nth}` }));
  machine.append(...many);
  const { stdout } = await machine.run(["trace", "11000", "--json"]);
  const { steps, isCut } = JSON.parse(stdout);
  const ids = new Set(steps.map(({ eventId }: { eventId: string }) => eventId));
  expect([isCut, ids.size, ids.has("11000"), ids.has("12000"), ids.has("14000")]).toEqual([
    true,
    2_000,
    true,
    true,
    false,
  ]);
});

test("a session of the built program is traced turn by turn", async () => {
  const project = new AgentProject({
    hooks: [
      { on: "SessionStart", name: "hello" },
      { on: "BeforeTool", name: "no-write", matcher: "write_file", runs: "echo 'Read only.' >&2; exit 2" },
      { on: "SessionEnd", name: "bye" },
    ],
  });
  const run = await project.run({
    answers: [calls("write_file", { file_path: "a", content: "b" }), says("Then not.")],
  });
  const { code, stdout } = await project.machine.cli(["trace"]);
  expect(code).toBe(0);
  // A machine that has much to do may be late with the record of the block.
  const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith("(not recorded in time)"));
  expect(lines[0]).toBe(`session ${run.json.session}, turn 1, finished`);
  const words = lines.slice(3).map((line) => line.replace(/[━█▒]+/, " ").replace(/[\d.]+ (ms|s)\b/, " "));
  expect(words.map((line) => line.trim().split(/\s+/).join(" "))).toEqual([
    "model replay ✓ success",
    "BeforeTool write_file ✗ block",
    "no-write ✗ block",
    "Read only.",
    "model replay ✓ success",
  ]);
});
