import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { endOf, eventually, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { ReplayMachine, settingsOf, type ToolHook, withoutIds } from "./replayFixtures.ts";

// Every event is recorded by a program of its own.
vi.setConfig({ testTimeout: 240_000 });

const denies = (reason: string) => ({ decision: "deny", reason });
const rewrites = (content: string) => ({ hookSpecificOutput: { tool_input: { content } } });

const BEFORE: readonly ToolHook[] = [
  { tool: "read_file", name: "stricter" },
  { tool: "write_file", name: "milder", answers: denies("No files") },
  { tool: "run_shell_command", name: "reworded", answers: denies("No shell") },
  { tool: "replace", name: "formatter", answers: rewrites("one") },
  { tool: "glob", name: "removed", answers: denies("No globs") },
  { tool: "list_directory", name: "constant", answers: denies("As ever") },
  { tool: "grep_search", name: "looker" },
];
const AFTER: readonly ToolHook[] = [
  { tool: "read_file", name: "stricter", answers: denies("Not any more"), runs: "echo run >> runs.txt" },
  { tool: "write_file", name: "milder" },
  { tool: "run_shell_command", name: "reworded", answers: denies("No commands"), runs: "rm -rf src" },
  { tool: "replace", name: "formatter", answers: rewrites("two") },
  { tool: "list_directory", name: "constant", answers: denies("As ever") },
  { tool: "grep_search", name: "looker" },
  { tool: "grep_search", name: "added", answers: { decision: "ask", reason: "Sure?" } },
];

test("a changed hook set shows exactly the decisions, reasons and rewrites that differ, and touches nothing", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE), "project/src/a.txt": "a" });
  for (const { tool } of BEFORE) await machine.fire(tool, { content: "none" });
  await machine.fire("write_file", { file_path: "b.txt" });
  expect(await machine.replay()).toEqual({
    code: 0,
    stdout: "✓ 8 events compared, all decided the same\n",
    stderr: "",
  });

  machine.write({ [PROJECT_FILE]: settingsOf(AFTER) });
  const tree = machine.tree();
  const { code, stdout, stderr } = await machine.replay();
  expect(withoutIds(stdout)).toBe(`✓ allow → ✗ block  BeforeTool read_file
    before  no hook objected
    after   stricter: Not any more
    event   TIME, hookline trace ID

✗ block → ✓ allow  BeforeTool write_file  ×2
    before  milder: No files
    after   milder does not object
    newest  TIME, hookline trace ID

✗ block → ✓ allow  BeforeTool glob
    before  removed: No globs
    after   removed is not declared for this event
    event   TIME, hookline trace ID

✓ allow → ? ask  BeforeTool grep_search
    before  no hook objected
    after   added: Sure?
    event   TIME, hookline trace ID

✓ allow, other rewrite  BeforeTool replace
    before  tool_input.content → "one" by formatter
    after   tool_input.content → "two" by formatter
    event   TIME, hookline trace ID

✗ block, other reason  BeforeTool run_shell_command
    before  reworded: No shell
    after   reworded: No commands
    event   TIME, hookline trace ID

✗ 8 events compared: 7 different, 1 the same
`);
  expect([code, stderr]).toEqual([1, ""]);
  // Neither what hooks wrote and removed, nor a record of it.
  expect(machine.tree()).toEqual(tree);
  expect(machine.leftovers()).toEqual([]);

  const id = /trace ([0-9a-f]{8})/.exec(stdout)?.[1] ?? "";
  expect(await machine.cli(["trace", id])).toMatchObject({ code: 0, stdout: expect.stringContaining("read_file") });
});

test("as JSON, every event of a difference is there, with both sides", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE) });
  await machine.fire("replace", { file_path: "a.txt", content: "none" });
  await machine.fire("write_file");
  machine.write({ [PROJECT_FILE]: settingsOf([...AFTER.filter(({ name }) => name === "formatter")]) });
  const { code, stdout, stderr } = await machine.replay("--json");
  const rewrite = (after: string) => [{ path: "tool_input.content", before: "none", after, hook: "formatter" }];
  const event = { id: "ID", at: "TIME", session: "ID" };
  expect(JSON.parse(withoutIds(stdout))).toEqual({
    projectRoot: machine.project,
    hooksOf: machine.project,
    events: 2,
    hasMore: false,
    isInterrupted: false,
    compared: 2,
    same: 0,
    different: 2,
    differences: [
      {
        event: "BeforeTool",
        subject: "write_file",
        aspects: ["decision"],
        before: { decision: "block", hooks: ["milder"] },
        after: { decision: "allow", hooks: [] },
        count: 1,
        events: [
          {
            ...event,
            before: { reason: "No files", rewrites: [], failures: [] },
            after: { reason: null, rewrites: [], failures: [] },
            notes: [{ hook: "milder", what: "is not declared for this event" }],
          },
        ],
      },
      {
        event: "BeforeTool",
        subject: "replace",
        aspects: ["rewrites"],
        before: { decision: "allow", hooks: [] },
        after: { decision: "allow", hooks: [] },
        count: 1,
        events: [
          {
            ...event,
            before: { reason: null, rewrites: rewrite("one"), failures: [] },
            after: { reason: null, rewrites: rewrite("two"), failures: [] },
            notes: [],
          },
        ],
      },
    ],
    notComparable: [],
    leftOut: [],
    notices: [],
    problems: [],
  });
  expect([code, stderr]).toEqual([1, ""]);
});

test("an event of which something was redacted or cut is not comparable, and no difference", async () => {
  const limited = { hooksConfig: { journal: { payloadLimit: "2KiB" } } };
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE), [USER_FILE]: limited });
  await machine.fire("write_file", { password: "correct horse battery" });
  await machine.fire("write_file", { content: "long ".repeat(2_000) });
  machine.write({ [PROJECT_FILE]: settingsOf([]) });
  expect(await machine.replay()).toEqual({
    code: 1,
    stdout: `! no event could be compared
! 2 events not comparable
    1  a secret was redacted from its record
    1  its payload was too long and was truncated
`,
    stderr: "",
  });
  const { notComparable } = await machine.replayJson();
  expect(JSON.parse(withoutIds(JSON.stringify(notComparable)))).toEqual(
    ["a secret was redacted from its record", "its payload was too long and was truncated"].map((why) => ({
      id: "ID",
      at: "TIME",
      session: "ID",
      event: "BeforeTool",
      subject: "write_file",
      why,
      hookFailed: false,
    })),
  );
});

test("hooks with `replay: skip` do not run, and what they or other layers' hooks decided is not comparable", async () => {
  const machine = new ReplayMachine({});
  const sends: ToolHook = {
    tool: "write_file",
    name: "sends",
    runs: `echo sent >> '${join(machine.dir, "sent.txt")}'`,
    answers: denies("Sent"),
    settings: { replay: "skip" },
  };
  machine.write({
    [PROJECT_FILE]: settingsOf([sends, { tool: "glob", name: "own" }]),
    [USER_FILE]: settingsOf([{ tool: "glob", name: "mine", answers: denies("Mine") }]),
  });
  await machine.fire("write_file");
  await machine.fire("glob");
  expect(machine.read("sent.txt")).toBe("sent\n");
  expect(await machine.replay()).toEqual({
    code: 1,
    stdout: `! no event could be compared
! 2 events not comparable
    1  hook sends is replay: skip
    1  hook mine is not a project hook (user)
  skipped because of replay: skip: sends
`,
    stderr: "",
  });
  expect(machine.read("sent.txt")).toBe("sent\n");
});

test("--against runs the hooks of another folder, once a person trusts them", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE), "project/src/a.txt": "a" });
  await machine.fire("list_directory");
  await machine.fire("glob");
  cpSync(machine.project, join(machine.dir, "next"), { recursive: true });
  const others = AFTER.map((hook) => ({ ...hook, runs: "test -f src/a.txt || exit 3" }));
  machine.write({ "next/.hookline/settings.json": settingsOf(others) });

  const refused = await machine.cli(["replay", "--against", "../next"]);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`✗ ${join(machine.dir, "next")}: This project declares 7 hooks`);
  expect(refused.stderr).toContain("Run `hookline trust ../next` to look at them and decide");
  const { hooksOf, same, differences } = await machine.replayJson("--against", "../next");
  expect([hooksOf, same]).toEqual([join(machine.dir, "next"), 1]);
  expect(differences).toMatchObject([{ subject: "glob", aspects: ["decision"], after: { decision: "allow" } }]);
});

test("hooks see the paths of the copy, and what they say about it is read as said about the project", async () => {
  const machine = new ReplayMachine({});
  const speaks: ToolHook = {
    tool: "write_file",
    name: "speaks",
    runs: `printf '%s\\n' "$input" >> '${join(machine.dir, "seen.jsonl")}'; echo "$PWD/src is closed" >&2; exit 2`,
  };
  machine.write({ [PROJECT_FILE]: settingsOf([speaks]) });
  const path = join(machine.project, "src/a.txt");
  await machine.fire("write_file", { file_path: path, content: `${path} is closed` });
  expect(await machine.replay()).toMatchObject({ code: 0, stdout: "✓ 1 event compared, all decided the same\n" });
  const [, replayed] = machine.read("seen.jsonl").trimEnd().split("\n");
  const { cwd, tool_input } = JSON.parse(replayed ?? "");
  expect(cwd).toMatch(/\/tmp\/hookline-copy-\w+\/project$/);
  expect(tool_input).toEqual({ file_path: join(cwd, "src/a.txt"), content: `${path} is closed` });
});

test("the events of a whole session are decided as they were, with the hooks that they had", async () => {
  const project = new AgentProject({
    files: { "a.txt": "a" },
    hooks: [
      { on: "SessionStart", name: "greets", answers: { hookSpecificOutput: { additionalContext: "Hello" } } },
      { on: "BeforeAgent", name: "shouts", answers: { hookSpecificOutput: { prompt: "GO" } } },
      {
        on: "BeforeModel",
        name: "cools",
        answers: { hookSpecificOutput: { llm_request: { model: "other" } } },
      },
      { on: "BeforeTool", name: "shields", matcher: "read_file", answers: denies("Closed") },
      { on: "PreAbilityCall", name: "watches", settings: { blocking: false } },
      { on: "AfterTool", name: "stops", answers: { continue: false, stopReason: "Enough" } },
      { on: "SessionEnd", name: "notes" },
    ],
  });
  project.machine.write({ [USER_FILE]: { hooksConfig: { journal: { originals: true } } } });
  await project.run({
    answers: [calls("read_file", { file_path: "a.txt" }), calls("glob", { pattern: "*" }), says("Done")],
  });
  const { code, stdout } = await project.machine.cli(["replay", "--trust-project"]);
  expect([stdout, code]).toEqual([expect.stringMatching(/^✓ \d+ events compared, all decided the same\n$/), 0]);
  expect(Number(/\d+/.exec(stdout)?.[0])).toBeGreaterThan(6);

  const settings = project.file(".hookline/settings.json").replace('"read_file"', '"nothing"');
  project.machine.write({ [PROJECT_FILE]: settings });
  const changed = await project.machine.cli(["replay", "--trust-project"]);
  expect(withoutIds(changed.stdout)).toContain(`✗ block → ✓ allow  BeforeTool read_file
    before  shields: Closed
    after   shields does not run: matcher nothing does not match read_file
    event   TIME, hookline trace ID

✗ `);
  expect(changed.code).toBe(1);
});

test("filters choose the events, and more than the limit is said", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE) });
  for (const tool of ["glob", "read_file", "write_file"]) await machine.fire(tool);
  expect(await machine.replay("--limit", "2", "--event", "BeforeTool", "--since", "1h")).toEqual({
    code: 0,
    stdout: `✓ 2 events compared, all decided the same
  There are more; these are the newest 2. Use --limit to replay more.
`,
    stderr: "",
  });
  const lines = (await machine.cli(["log", "--json"])).stdout.trimEnd().split("\n");
  const { session } = JSON.parse(lines[0] ?? "");
  machine.write({ [PROJECT_FILE]: settingsOf([]) });
  const { events, differences } = await machine.replayJson("--session", session.slice(0, 8));
  expect([events, differences]).toMatchObject([1, [{ subject: "glob" }]]);
});

test("--against is quoted where it must be, and what is not found there is said to be missing there", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE) });
  await machine.fire("glob");
  const guard = { type: "command", name: "removed", command: "./none.sh", onError: "block" };
  machine.write({
    "the next/.hookline/settings.json": {
      hooks: { BeforeTool: [{ hooks: [guard, { ...guard, name: "n", command: "true" }] }] },
    },
  });
  const refused = await machine.cli(["replay", "--against", "../the next"]);
  expect(refused.stderr).toContain('Run `hookline trust "../the next"` to look at them and decide');
  const { stdout } = await machine.replay("--against", "../the next");
  expect(stdout).toContain(`"./none.sh" was not found; looked for ${join(machine.dir, "the next/none.sh")}`);
});

test("a hook that fails now, and settings that are broken now, are said", async () => {
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf(BEFORE) });
  await machine.fire("glob");
  const fails: ToolHook = { tool: "glob", name: "removed", runs: "echo 'oh no' >&2; exit 3" };
  machine.write({ [PROJECT_FILE]: settingsOf([fails, { tool: "glob", name: "typo", settings: { type: "comand" } }]) });
  const { code, stdout, stderr } = await machine.replay();
  expect(stdout).toContain(
    "    1  hook removed fails in the copy but did not fail when recorded: exited with code 3: oh no",
  );
  expect(stderr).toContain("1 error in the settings: run `hookline validate`");
  expect(code).toBe(1);
});

test("what a hook or a tool wrote cannot act on the terminal", async () => {
  const machine = new ReplayMachine({
    [PROJECT_FILE]: settingsOf([{ tool: "glob", name: "e\u001b[31m", answers: denies("a\u001b[2J\u202e") }]),
  });
  await machine.fire("glob");
  machine.write({ [PROJECT_FILE]: settingsOf([]) });
  const { stdout } = await machine.replay();
  expect(stdout).toContain("    before  e\\e[31m: a\\e[2J\\u202e\n");
});

test("a person at a terminal sees how far it is", async () => {
  const hook: ToolHook = { tool: "glob", name: "slow" };
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf([hook]) });
  await machine.fire("glob");
  machine.write({ [PROJECT_FILE]: settingsOf([{ ...hook, runs: "sleep 2" }]) });
  const { code, stderr } = await machine.run(["replay", "--trust-project"], { stderrIsTTY: true });
  expect(stderr).toContain("\r\u001b[Kreplaying, 0 of 1 event done…");
  expect([code, stderr.endsWith("\r\u001b[K")]).toEqual([0, true]);
});

test("Ctrl-C shows what was compared so far and leaves no copy", async () => {
  const quick: ToolHook = { tool: "glob", name: "quick" };
  const slow: ToolHook = { tool: "read_file", name: "slow" };
  const machine = new ReplayMachine({ [PROJECT_FILE]: settingsOf([quick, slow]) });
  // Four are replayed at once: when the fifth begins, one is through.
  for (const tool of ["glob", "glob", "glob", "glob", "read_file"]) await machine.fire(tool);
  const begins = `touch '${join(machine.dir, "begun")}'; sleep 100`;
  machine.write({
    [PROJECT_FILE]: settingsOf([
      { ...quick, answers: denies("No") },
      { ...slow, runs: begins, settings: { timeout: "2m" } },
    ]),
  });
  const child = machine.start(["replay", "--trust-project"]);
  const ended = endOf(child);
  await eventually(() => machine.has("begun"), 60_000);
  expect(machine.leftovers()).toHaveLength(1);
  child.kill("SIGINT");
  const { code, stdout } = await ended;
  expect(stdout).toMatch(
    /\n! Interrupted after ([1-4]) of 5 events\.\n✗ \1 events? compared: \1 different, 0 the same\n$/,
  );
  expect(code).toBe(130);
  expect(machine.leftovers()).toEqual([]);
});

test("bad input is refused with what to do", async () => {
  const machine = new ReplayMachine({
    [PROJECT_FILE]: settingsOf(BEFORE),
    "empty/.git/HEAD": "",
    "broken/.hookline/settings.json": "{",
    "project/part/a.txt": "",
  });
  const refusal = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await machine.replay(...args);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr;
  };
  expect(await refusal()).toBe(`✗ Nothing is recorded here yet.
  Events are recorded by \`hookline run\`, \`chat\`, \`task\`, \`ability\` and \`fire\`, once a hook matches them.
`);
  await machine.fire("glob");
  expect(await refusal("--event", "BeforeTol")).toContain('There is no event "BeforeTol". Did you mean "BeforeTool"?');
  expect(await refusal("--event", "SessionEnd")).toContain("✗ No recorded event matches.\n");
  expect(await refusal("--session", "nobody")).toContain('✗ No event or session here has the id "nobody".\n');
  expect(await refusal("--limit", "0")).toContain('✗ --limit must be a positive integer, got "0".\n');
  expect(await refusal("--since", "then")).toContain("✗ --since must be like 10m, 2h, 3d");
  expect(await refusal("--against", "../nowhere")).toContain("nowhere: There is no such folder.\n");
  expect(await refusal("--against", ".hookline/settings.json")).toContain("settings.json: This is not a folder.\n");
  expect(await refusal("--against", "../empty")).toContain("empty: No hook is declared here.\n");
  expect(await refusal("--against", "part")).toContain(
    `part: This is not a separate project, but a part of ${machine.project}.\n`,
  );
  expect(await refusal("--against", "../broken")).toMatch(
    /! \.hookline\/settings\.json:1:\d+ [\s\S]*broken: No hook is declared here\.\n/,
  );
  expect(await machine.cli(["replay"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("This project declares 7 hooks"),
  });

  writeFileSync(join(machine.dir, machine.state, "journal.db"), "no database, ".repeat(1_000));
  expect(await refusal()).toContain("journal.db: The file is not a journal, or is damaged");
});
