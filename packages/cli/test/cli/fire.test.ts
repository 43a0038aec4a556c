import { expect, test } from "vitest";
import { endOf, eventually, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";

const answer = (value: unknown) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
const BLOCKS = { name: "guard", command: answer({ decision: "deny", reason: "Not this file" }) };
const ALLOWS = { name: "fine", command: answer({ systemMessage: "looks good" }) };

test.each([
  ["allowed", "BeforeTool", ALLOWS, 0, "✓ allowed"],
  ["blocked", "BeforeTool", BLOCKS, 2, "✗ blocked: Not this file"],
  [
    "stopped",
    "BeforeAgent",
    { name: "s", command: answer({ continue: false, stopReason: "Enough" }) },
    2,
    "■ stopped: Enough",
  ],
  [
    "a person's to decide",
    "BeforeTool",
    { name: "a", command: answer({ decision: "ask", reason: "Sure?" }) },
    3,
    "? ask: Sure?",
  ],
  ["allowed when a hook crashes", "BeforeTool", { name: "c", command: "exit 3" }, 0, "✓ allowed"],
  [
    "blocked when a guard crashes",
    "BeforeTool",
    { name: "c", command: "exit 3", onError: "block" },
    2,
    '✗ blocked: Hook "c" exited with code 3',
  ],
  ["allowed where an objection is ignored", "SessionEnd", BLOCKS, 0, "✓ allowed"],
])("an event is %s", async (_, event, hook, code, verdict) => {
  const ended = await new Machine({ [USER_FILE]: hooksOn(event, [hook]) }).cli(["fire", event]);
  expect(ended.stderr).toBe("");
  expect(ended.stdout).toContain(verdict);
  expect(ended.code).toBe(code);
});

test("each hook is shown with its mark and what it said", async () => {
  const machine = new Machine({
    [USER_FILE]: {
      ...hooksOn("BeforeTool", [
        BLOCKS,
        ALLOWS,
        { name: "crash", command: "echo oh no >&2; exit 3" },
        { name: "watch", command: answer({ decision: "deny", reason: "I would not" }), mode: "observe" },
        { name: "later", command: "cat > /dev/null; echo done", blocking: false },
        { name: "off", command: "true" },
      ]),
      hooksConfig: { disabled: ["off"] },
    },
  });
  const { stdout } = await machine.cli(["fire", "BeforeTool"]);
  const lines = stdout.split("\n").map((line) =>
    line
      .trim()
      .replace(/\d+(\.\d+)? (ms|s)\b/, "N ms")
      .split(/ {2,}/),
  );
  expect(lines).toEqual([
    ["BeforeTool write_file"],
    ["✗", "guard", "N ms"],
    ["reason", "Not this file"],
    ["✓", "fine", "N ms"],
    ["message", "looks good"],
    ["!", "crash", "N ms"],
    ["failed", expect.stringContaining("exited with code 3: oh no")],
    ["○", "watch", "N ms, would block"],
    ["reason", "I would not"],
    ["–", "off", 'skipped: hooksConfig.disabled: "off"'],
    [""],
    ["✗ blocked: Not this file"],
    ["the tool is not run, the model is told the reason, the turn goes on"],
    [""],
    ["afterwards"],
    ["○", "later", "N ms"],
    ["message", "done"],
    [""],
  ]);
});

test("a rewrite is shown field by field", async () => {
  const rewrite = answer({ hookSpecificOutput: { tool_input: { file_path: "b.txt" } } });
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeTool", [{ name: "fix", command: rewrite }]) });
  const { stdout } = await machine.cli(["fire", "BeforeTool", "tool_input.file_path=a.txt"]);
  expect(stdout).toContain('  tool_input.file_path "a.txt" → "b.txt" by fix\n');
});

test("--json is one object with everything in it", async () => {
  const later = { name: "later", command: "sleep 0.2; echo done", blocking: false };
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeTool", [BLOCKS, later]) });
  const { code, stdout } = await machine.cli(["fire", "BeforeTool", "tool_name=Edit", "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    event: "BeforeTool",
    subject: "Edit",
    hooks: [
      { name: "guard", outcome: "block", counts: true, layer: "user" },
      { name: "later", outcome: "observed", counts: false },
    ],
    decision: "block",
    reason: "Not this file",
    output: { decision: "block", reason: "Not this file" },
    rewrites: [],
    success: true,
    duration_ms: expect.any(Number),
  });
});

test("the input comes from a file or from standard input, with single fields set", async () => {
  const echo = { name: "echo", command: "cat > seen.json" };
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeAgent", [echo]), "project/in.json": { prompt: "file" } });
  const seen = () => JSON.parse(machine.read("project/seen.json"));
  await machine.cli(["fire", "BeforeAgent", "--input", "in.json"]);
  expect(seen()).toMatchObject({ prompt: "file", hook_event_name: "BeforeAgent", cwd: machine.project });
  await machine.cli(["fire", "BeforeAgent", "--input", "-", "extra.deep=[1]"], { stdin: '{"prompt":"stdin"}' });
  expect(seen()).toMatchObject({ prompt: "stdin", extra: { deep: [1] } });
});

test.each([
  [["fire", "BeforeAgent", "prompt=3"], "The input of BeforeAgent is invalid: prompt:"],
  [["fire", "BeforeAgent", "--input", "none.json"], "The file cannot be read"],
  [["fire", "BeforeAgent", "--input", "-"], "standard input is not JSON"],
  [["fire", "BeforeAgent", "prompt"], '"prompt" is not of the form key=value.'],
])("%j is bad input, and nothing runs", async (args, what) => {
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeAgent", [{ name: "h", command: "touch ran" }]) });
  const { code, stderr } = await machine.cli(args, { stdin: "{" });
  expect([code, stderr, machine.has("project/ran")]).toEqual([1, expect.stringContaining(what), false]);
});

test("when nothing matches, it says so", async () => {
  const { code, stdout } = await new Machine().cli(["fire", "SessionEnd"]);
  expect([code, stdout]).toEqual([
    0,
    "SessionEnd exit\n  No hook matches; `hookline explain SessionEnd exit` says why.\n\n✓ allowed\n",
  ]);
});

test("a settings file that cannot be read is said beside the answer: no guard is off in silence", async () => {
  const machine = new Machine({ [USER_FILE]: '{ "hooks": {', [PROJECT_FILE]: { hooks: { BeforeTol: [] } } });
  const { stdout } = await machine.cli(["fire", "BeforeTool"]);
  expect(stdout).toContain('  ! .hookline/settings.json:3:5 "BeforeTol" is not an event; its hooks do not run.');
  expect(stdout).toMatch(
    / {2}! ~\/\.hookline\/settings\.json:1:\d+ .*\n {4}2 errors in the settings: run `hookline validate`\n/,
  );
  const json = await machine.cli(["fire", "BeforeTool", "--json"]);
  expect(JSON.parse(json.stdout).problems).toMatchObject([{ code: "EVENT_UNKNOWN" }, { code: "CONFIG_SYNTAX" }]);
});

test("an untrusted project: headless refusal before anything runs, and two ways past it", async () => {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeAgent", [{ name: "theirs", command: "touch theirs" }]),
    [USER_FILE]: hooksOn("BeforeAgent", [{ name: "mine", command: "touch mine" }]),
  });
  const refused = await machine.cli(["fire", "BeforeAgent"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Run `hookline trust`")]);
  expect([machine.has("project/theirs"), machine.has("project/mine")]).toEqual([false, false]);

  const once = await machine.cli(["fire", "BeforeAgent", "--trust-project"]);
  expect([once.code, machine.has("project/theirs")]).toEqual([0, true]);
  const byVariable = await machine.cli(["fire", "BeforeAgent"], { env: { HOOKLINE_TRUST_PROJECT: "1" } });
  expect(byVariable.code).toBe(0);
  expect((await machine.cli(["fire", "BeforeAgent"])).code).toBe(1);
});

test("a person who says no goes on without the project's hooks; yes is remembered", async () => {
  const machine = new Machine({ [PROJECT_FILE]: hooksOn("BeforeAgent", [{ name: "theirs", command: "true" }]) });
  const no = await machine.run(["fire", "BeforeAgent"], { interactive: true, confirm: async () => false });
  expect([no.code, no.stdout]).toEqual([0, expect.stringContaining("skipped: its project is not trusted")]);
  const yes = await machine.run(["fire", "BeforeAgent"], { interactive: true, confirm: async () => true });
  expect([yes.code, yes.stdout]).toEqual([0, expect.stringMatching(/✓ +theirs/)]);
  expect(await machine.run(["fire", "BeforeAgent"])).toMatchObject({ code: 0, stderr: "" });
});

test.each([
  ["a hook that is waited for", {}],
  ["a hook in the background", { blocking: false }],
])("Ctrl-C ends %s and leaves no process", async (_, more) => {
  const sleeps = { name: "sleeps", command: "echo $$ > pid; sleep 60 & wait", timeout: "60s", ...more };
  const machine = new Machine({ [USER_FILE]: hooksOn("BeforeTool", [sleeps]) });
  const child = machine.start(["fire", "BeforeTool"]);
  const ended = endOf(child);
  await eventually(() => machine.has("project/pid") && machine.read("project/pid").endsWith("\n"));
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
  const group = Number(machine.read("project/pid"));
  await eventually(() => !groupExists(group));
});

function groupExists(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}
