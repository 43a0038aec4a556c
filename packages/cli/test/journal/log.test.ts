import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { BINARY, endOf, eventually, hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { cells, event, guarded, RecordedMachine, runIn } from "./queriesJournal.ts";

// Some of these start a handful of programs, on a machine that may have much else to do.
vi.setConfig({ testTimeout: 60_000 });

const LATE = { name: "late", source: "user", type: "worker" };

/** Six lines: an allow, a block, a failure, a skip, an approval, a session's end. */
function eventful(): RecordedMachine {
  const failing = event(3, { subject: "replace" });
  const asked = guarded(4, "ask", { skipped: [{ hook: LATE, reason: "an earlier hook of the chain ended it" }] });
  return new RecordedMachine().append(
    guarded(1, "allow"),
    guarded(2, "block"),
    { ...failing, runs: [runIn(failing, { outcome: "failed", reason: "timed out after 5 s", failure: "timedOut" })] },
    asked,
    {
      kind: "approval",
      at: asked.at,
      session: asked.session,
      turn: 1,
      callId: "call-1",
      subject: "write_file",
      approved: false,
      reason: "No, thanks.",
      by: "person",
      hooks: ["guard"],
      durationMs: 2_300,
      input: {},
    },
    event(6, { event: "SessionEnd", subject: "exit" }),
    { kind: "unmatched", at: asked.at, session: "session-one", turn: 0, counts: { AfterTool: 3 } },
  );
}

const LINES = [
  ["0001aaaa", "BeforeTool", "write_file", "✓ allow", "12 ms"],
  ["0002aaaa", "BeforeTool", "write_file", "✗ block", "12 ms", "guard: Not this file. …"],
  ["0003aaaa", "BeforeTool", "replace", "✓ allow", "12 ms", "! guard failed: timed out after 5 s"],
  ["0004aaaa", "BeforeTool", "write_file", "? ask", "12 ms", "guard: Not this file. …"],
  ["-", "Approval", "write_file", "✗ denied", "2.3 s", "a person: No, thanks."],
  ["0006aaaa", "SessionEnd", "exit", "✓ allow", "12 ms"],
];
const line = (...indices: number[]) => indices.map((index) => LINES[index]);

test("each event is a line with its decision, who objected and why; failures and approvals too", async () => {
  const { code, stdout, stderr } = await eventful().run(["log"]);
  expect({ code, stderr, lines: cells(stdout) }).toEqual({ code: 0, stderr: "", lines: LINES });
});

test.each([
  [["--limit", "2"], line(4, 5)],
  [["--event", "SessionEnd"], line(5)],
  [["--event", "Approval"], line(4)],
  [["--decision", "block"], line(1)],
  [["--decision", "allow"], line(0, 2, 5)],
  [["--decision", "denied"], line(4)],
  [["--event", "BeforeTool", "--decision", "ask"], line(3)],
  [["--since", "1h", "--decision", "allow", "--event", "BeforeTool"], line(0, 2)],
  [
    ["--decision", "failed"],
    [["0003aaaa", "BeforeTool", "replace", "! failed", "11 ms", "guard: timed out after 5 s"]],
  ],
  [
    ["--decision", "skipped"],
    [["0004aaaa", "BeforeTool", "write_file", "– skipped", "late: an earlier hook of the chain ended it"]],
  ],
  [
    ["--hook", "guard", "--limit", "3"],
    [
      ["0002aaaa", "BeforeTool", "write_file", "✗ block", "11 ms", "guard: Not this file. …"],
      ["0003aaaa", "BeforeTool", "replace", "! failed", "11 ms", "guard: timed out after 5 s"],
      ["0004aaaa", "BeforeTool", "write_file", "? ask", "11 ms", "guard: Not this file. …"],
    ],
  ],
  [
    ["--hook", "guard", "--decision", "block"],
    [["0002aaaa", "BeforeTool", "write_file", "✗ block", "11 ms", "guard: Not this file. …"]],
  ],
  [["--hook", "guard", "--event", "SessionEnd"], [["Nothing recorded matches."]]],
  [["--hook", "gaurd"], [['No hook called "gaurd" is in the journal. Did you mean "guard"?']]],
  [["--since", "2099-01-01"], [["Nothing recorded matches."]]],
])("log %j shows what was asked for", async (args, lines) => {
  const { code, stdout } = await eventful().run(["log", ...args]);
  expect({ code, lines: cells(stdout) }).toEqual({ code: 0, lines });
});

describe("who decided", () => {
  const hook = (name: string) => ({ name, source: "project", type: "command" });
  const WATCHER = { hook: hook("watcher"), applied: false, pass: "observe", reason: "watched" } as const;

  test("an objection that took no effect is no block: neither of its event, nor of its hook", async () => {
    const [allowed, blocked] = [event(1), guarded(2, "block", { reason: "No." })];
    const machine = new RecordedMachine().append(
      { ...allowed, runs: [runIn(allowed, { ...WATCHER, outcome: "block" })] },
      { ...blocked, runs: [runIn(blocked, { ...WATCHER, outcome: "ask" }), ...blocked.runs] },
    );
    expect(cells((await machine.run(["log"])).stdout)).toEqual([
      ["0001aaaa", "BeforeTool", "write_file", "✓ allow", "12 ms"],
      ["0002aaaa", "BeforeTool", "write_file", "✗ block", "12 ms", "guard: No."],
    ]);
    expect(cells((await machine.run(["log", "--hook", "watcher"])).stdout)).toEqual([
      ["0001aaaa", "BeforeTool", "write_file", "○ would block", "11 ms", "watcher: watched"],
      ["0002aaaa", "BeforeTool", "write_file", "○ would ask", "11 ms", "watcher: watched"],
    ]);
  });

  test("a block and a stop stand side by side; who only asked is not named", async () => {
    const plain = event(1, { decision: "block", reason: "Stop it." });
    const machine = new RecordedMachine().append({
      ...plain,
      runs: [
        runIn(plain, { outcome: "block", reason: "No." }),
        runIn(plain, { hook: hook("asker"), outcome: "ask", reason: "Sure?" }),
        runIn(plain, { hook: hook("stopper"), outcome: "stop", reason: "Stop it." }),
      ],
    });
    expect(cells((await machine.run(["log"])).stdout)).toEqual([
      ["0001aaaa", "BeforeTool", "write_file", "✗ block", "12 ms", "guard, stopper: Stop it."],
    ]);
  });

  test("who changed what is said of the event, and of the hook that did", async () => {
    const change = (field: string, name: string) => ({
      path: ["tool_input", field],
      before: "a",
      after: "b",
      hook: name,
    });
    const plain = event(1, { rewrites: [change("command", "rw"), change("cwd", "rw"), change("command", "safer")] });
    const machine = new RecordedMachine().append({
      ...plain,
      runs: [
        runIn(plain, { hook: hook("rw") }),
        runIn(plain, { hook: hook("safer") }),
        runIn(plain),
        runIn(plain, { hook: hook("rw"), pass: "second" }),
      ],
    });
    const [rw, safer] = ["✎ rw changed tool_input.command, tool_input.cwd", "✎ safer changed tool_input.command"];
    const saidBy = async (...args: string[]) =>
      cells((await machine.run(["log", ...args])).stdout).map((line) => line.at(-1));
    expect(await saidBy()).toEqual([`${rw}; ${safer}`]);
    expect(await saidBy("--hook", "rw")).toEqual([rw, "rw"]);
    expect(await saidBy("--hook", "safer")).toEqual([safer]);
    expect(await saidBy("--hook", "guard")).toEqual(["guard"]);
  });
});

test("--since looks at when something began, in whatever order it was written", async () => {
  const hour = 3_600_000;
  const machine = new RecordedMachine().append(
    event(1, { at: Date.now() - 5 * hour }),
    event(2, { at: Date.now() - hour }),
    event(3, { at: Date.now() - 3 * hour }),
    event(4),
  );
  const { stdout } = await machine.run(["log", "--since", "2h"]);
  expect(cells(stdout).map(([id]) => id)).toEqual(["0002aaaa", "0004aaaa"]);
});

test("--json prints whole records, one on each line, with the hooks of an event inside", async () => {
  const { stdout } = await eventful().run(["log", "--json", "--limit", "5"]);
  const records = stdout
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  const { at } = event(2);
  const common = { at: new Date(at).toISOString(), session: "session-one", turn: 1, eventId: "0002aaaa-0000" };
  const about = { event: "BeforeTool", subject: "write_file", outcome: "block" };
  expect(records).toHaveLength(5);
  expect(records[0]).toEqual({
    ...common,
    ...about,
    id: 3,
    kind: "event",
    durationMs: 12,
    body: {
      reason: "Not this file.\nAnd no other.",
      sequential: false,
      success: true,
      input: { tool_name: "write_file" },
    },
    hooks: [
      {
        ...common,
        ...about,
        id: 4,
        kind: "run",
        hook: "guard",
        durationMs: 11,
        body: {
          reason: "Not this file.\nAnd no other.",
          hook: { source: "project", type: "command" },
          pass: "first",
          applied: true,
          exitCode: 0,
        },
      },
    ],
  });
});

test("text that somebody else wrote cannot act on the terminal", async () => {
  const nasty = "\u001b[2J\u202egone";
  const plain = event(1, { subject: nasty, decision: "block", reason: nasty });
  const machine = new RecordedMachine().append({
    ...plain,
    runs: [
      runIn(plain, { hook: { name: nasty, source: "project", type: "command" }, outcome: "block", reason: nasty }),
    ],
  });
  for (const args of [
    ["log"],
    ["log", "--json"],
    ["log", "--hook", nasty],
    ["trace"],
    ["trace", "--json"],
    ["stats"],
  ]) {
    const { code, stdout } = await machine.run(args);
    expect(code).toBe(0);
    expect(stdout).toContain("gone");
    expect([stdout.includes("\u001b"), stdout.includes("\u202e")]).toEqual([false, false]);
  }
});

test("what is amiss with the journal itself is a line, too", async () => {
  const { at, session, turn } = event(1);
  const machine = new RecordedMachine().append({ kind: "late", at, session, turn }).lose(7);
  const { stdout } = await machine.run(["log"]);
  expect(cells(stdout)).toEqual([
    ["-", "(late)", "-", "the program continued before an objection or approval was recorded"],
    ["-", "(gap)", "-", "7 records were lost"],
  ]);
});

test("on a terminal lines are as wide as it is, and decisions are coloured", async () => {
  const reason = "because ".repeat(40);
  const machine = new RecordedMachine().append(guarded(1, "block", { reason }));
  const { stdout } = await machine.run(["log"], { columns: 120, colour: true });
  expect(stdout).toContain("\u001b[31m✗ block\u001b[39m");
  const codes = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, "g");
  expect([...stdout.replace(codes, "").trimEnd()]).toHaveLength(120);
});

test("where nothing was recorded, that is said, and nothing is made", async () => {
  const machine = new Machine({ [PROJECT_FILE]: {} });
  expect(await machine.cli(["log"])).toEqual({ code: 0, stdout: "Nothing is recorded here yet.\n", stderr: "" });
  expect(await machine.cli(["log", "--json"])).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(machine.has(`${machine.state}/journal.db`)).toBe(false);
});

test.each([
  [["--decision", "blocked"], "OPTION_INVALID", /--decision is "blocked".*Did you mean "block"/],
  [["--since", "soon"], "OPTION_INVALID", /--since must be .*, got "soon"/],
  [["--limit", "many"], "OPTION_INVALID", /--limit must be .*, got "many"/],
  [["--limit", "0"], "OPTION_INVALID", /--limit must be .*, got "0"/],
  [["--verify", "--follow"], "OPTION_INVALID", /--verify .* omit --follow/],
  [["--verify", "--hook", "guard"], "OPTION_INVALID", /--verify .* omit --hook/],
  [["--event", "BeforeTool", "--verify"], "OPTION_INVALID", /--verify .* omit --event/],
  [["--verify", "--decision", "block"], "OPTION_INVALID", /--verify .* omit --decision/],
  [["--verify", "--since", "1h"], "OPTION_INVALID", /--verify .* omit --since/],
  [["--verify", "--limit", "5"], "OPTION_INVALID", /--verify .* omit --limit/],
  [["--event", "BeforeTols"], "EVENT_UNKNOWN", /no event "BeforeTols"/],
])("log %j is a mistake, with what to write instead", async (args, code, what) => {
  const { code: exit, stdout } = await new Machine().run(["log", ...args, "--json"]);
  expect(exit).toBe(1);
  expect(JSON.parse(stdout).error).toMatchObject({ code, what: expect.stringMatching(what) });
});

test("what a hook did is in the log of the built program, in local time", async () => {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "no-env", command: "echo 'Not .env' >&2; exit 2" }]),
  });
  const env = { TZ: "Asia/Tokyo" };
  const before = Date.now();
  const fired = await machine.cli(["fire", "BeforeTool", "tool_name=write_file", "--trust-project"]);
  expect(fired.code).toBe(2);
  const { code, stdout } = await machine.cli(["log", "--decision", "block"], { env });
  expect(code).toBe(0);
  const [, hour] =
    /^\d\d-\d\d (\d\d):\d\d:\d\d {2}[0-9a-f]{8} {2}BeforeTool {2}write_file {2}✗ block {2}.*no-env: Not \.env$/m.exec(
      stdout,
    ) ?? [];
  const inTokyo = [before, Date.now()].map((at) => (new Date(at).getUTCHours() + 9) % 24);
  expect(inTokyo).toContain(Number(hour));
});

test("--verify does not say that all is well where there is no key", async () => {
  const machine = eventful();
  machine.close();
  for (const end of ["", "-wal", "-shm"]) rmSync(join(machine.home, `.hookline/journals.db${end}`), { force: true });
  const said = "! the journal cannot be verified: there is no key here for its 12 records\n";
  expect(await machine.run(["log", "--verify"])).toEqual({ code: 1, stdout: said, stderr: "" });
});

test("--verify finds what was altered", async () => {
  const machine = eventful();
  const fine = await machine.run(["log", "--verify"]);
  expect(fine).toEqual({ code: 0, stdout: "✓ 12 records intact, none missing\n", stderr: "" });
  machine.tamper((db) => db.exec("UPDATE records SET outcome = 'allow' WHERE id = 3"));
  const { code, stdout } = await machine.run(["log", "--verify"]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: "✗ record 3 was altered or added by a program other than hookline\n11 records intact\n",
  });
});

test("--follow shows what is added, from before there is a journal until Ctrl-C", async () => {
  const machine = new RecordedMachine();
  const child = machine.start(["log", "--follow", "--decision", "block"]);
  let seen = "";
  child.stdout?.on("data", (chunk) => {
    seen += chunk;
  });
  const ended = endOf(child);
  // Where nothing is to be seen yet, nothing says that it has begun; either way, all of it has to be shown.
  machine.append(guarded(1, "allow"), guarded(2, "block"));
  await eventually(() => seen.includes("0002aaaa"), 30_000);
  machine.append(guarded(3, "block"), guarded(4, "allow"));
  await eventually(() => seen.includes("0003aaaa"), 30_000);
  child.kill("SIGINT");
  await once(child, "exit");
  expect(await ended).toEqual({ code: 130, stdout: seen, stderr: "" });
  expect(cells(seen).map(([id]) => id)).toEqual(["0002aaaa", "0003aaaa"]);
});

test("--follow goes on with a journal that was put aside and made anew", async () => {
  const machine = new RecordedMachine().append(guarded(1, "block"));
  const child = machine.start(["log", "--follow", "--json"]);
  let seen = "";
  child.stdout?.on("data", (chunk) => {
    seen += chunk;
  });
  const ended = endOf(child);
  await eventually(() => seen.includes("0001aaaa"), 30_000);
  machine.close();
  machine.moveJournalAway();
  machine.append(guarded(2, "block"));
  await eventually(() => seen.includes("0002aaaa"), 30_000);
  child.kill("SIGTERM");
  expect(await ended).toMatchObject({ code: 130, stderr: "" });
});

test("--follow says first that the journal knows no such hook, and waits for it", async () => {
  const machine = new RecordedMachine().append(guarded(1, "block"));
  const child = machine.start(["log", "--follow", "--hook", "gaurd"]);
  let said = "";
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const ended = endOf(child);
  await eventually(() => said.includes("\n"), 30_000);
  const plain = event(2);
  machine.append({ ...plain, runs: [runIn(plain, { hook: { name: "gaurd", source: "user", type: "command" } })] });
  let seen = "";
  child.stdout?.on("data", (chunk) => {
    seen += chunk;
  });
  await eventually(() => seen.includes("0002aaaa"), 30_000);
  child.kill("SIGINT");
  const stderr = '! No hook called "gaurd" is in the journal. Did you mean "guard"?\n';
  expect(await ended).toMatchObject({ code: 130, stderr });
});

test.skipIf(!existsSync("/dev/full"))("output that cannot be written is said in one line", () => {
  const machine = eventful();
  const { status, stderr } = spawnSync("sh", ["-c", `'${process.execPath}' '${BINARY}' log > /dev/full`], {
    cwd: machine.project,
    env: machine.env(),
    encoding: "utf8",
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "✗ The output cannot be written: no space left on device\n",
  });
});

test("what a hook says about itself is on the record: that it recorded a use, the code of its error, its logs", async () => {
  const printing = (answer: object) => `echo '${JSON.stringify(answer)}'`;
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("PostAbilityCall", [
      { name: "tracker", blocking: true, command: printing({ usage_recorded: true }) },
      {
        name: "quota",
        blocking: true,
        command: printing({ logs: ["looked"], error: { code: "E_QUOTA", message: "full" } }),
      },
    ]),
  });
  const fired = await machine.cli(["fire", "PostAbilityCall", "--trust-project"]);
  expect(fired.stdout).toContain("logged: looked");
  const { stdout } = await machine.cli(["log", "--json"]);
  const { hooks } = JSON.parse(stdout);
  expect(hooks.map(({ hook, outcome, body }: Record<string, unknown>) => ({ hook, outcome, body }))).toMatchObject([
    { hook: "tracker", outcome: "allow", body: { usageRecorded: true } },
    {
      hook: "quota",
      outcome: "failed",
      body: { failure: "reported", errorCode: "E_QUOTA", reason: "reported: E_QUOTA: full", notes: ["logged: looked"] },
    },
  ]);
});
