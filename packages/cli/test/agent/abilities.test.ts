import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { AgentProject, type AgentRun, type Hook } from "../support/agentProject.ts";
import { BINARY, type Files } from "../support/machine.ts";
import { calls, callsAll, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";
import { TestChat } from "../support/terminal.ts";

const GREET = {
  ".system/abilities/greet.yaml": {
    id: "greet",
    summary: "Says hello.",
    operation_keys: ["say.hello"],
    input: { type: "object", properties: { name: { type: "string" } }, additionalProperties: false },
    implementation: { kind: "script", command: "./scripts/greet.sh" },
  },
  "scripts/greet.sh": `#!/bin/sh
cat >> ../seen/greet.jsonl; echo >> ../seen/greet.jsonl
echo hello > hello.txt
printf '{"status":"success","output":"hello from %s","changed_files":["hello.txt"]}' "$HOOKLINE_SESSION_ID"`,
};

/** A model cannot know a key in advance: what create_task returned becomes the argument of the next run_task. */
const RUN_WHAT_WAS_CREATED: readonly Hook[] = [
  {
    on: "AfterTool",
    name: "remember",
    matcher: "^create_task$",
    runs: `printf '%s' "$input" | grep -oE '[^a-z]t-[0-9a-z]{10}' | cut -c 2- | head -n 1 > ../seen/key`,
  },
  {
    on: "BeforeTool",
    name: "fill-in",
    matcher: "^run_task$",
    runs: `printf '{"hookSpecificOutput":{"tool_input":{"task_key":"%s"}}}' "$(cat ../seen/key)"`,
  },
];
const CREATE = calls("create_task", { ability: "say.hello", input: { name: "you" }, environment: "dev" });
const RUN = calls("run_task", { task_key: "the one that was just created" });

const watcher = (on: string): Hook => ({ on, name: on.toLowerCase(), settings: { blocking: true } });
const signals = (kind: string, code: string, payload: unknown) => ({ hook_signals: [{ kind, code, payload }] });

function project(hooks: readonly Hook[] = [], files: Files = {}): AgentProject {
  return new AgentProject({ files: { ...GREET, ...files }, hooks });
}

/** What the model was told by its last call, as data. */
function told(run: AgentRun, nth: number): Record<string, unknown> {
  const line = run.modelSaw(nth).at(-1) ?? "";
  const text = line.replace(/^\w+ (returned|failed): /, "");
  try {
    return z.looseObject({}).parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`The model was told: ${line}`, { cause });
  }
}

describe("at the start of a turn", () => {
  const hint = { suggested_abilities: [{ id: "greet", reason: "It was asked for.", confidence: 0.9 }] };

  test("what PromptSubmit hooks suggest reaches the model and whoever reads the stream, as one control message", async () => {
    const router: Hook = {
      on: "PromptSubmit",
      name: "router",
      answers: signals("routing_hint", "ROUTE_SUGGESTION", hint),
    };
    const run = await project([router]).run({ prompt: "say hello", output: "stream-json", answers: [says("Hello.")] });
    expect(run.seen("router")).toMatchObject([
      { event_type: "PromptSubmit", user_raw_input: "say hello", current_files: [] },
    ]);
    const signal = { source_event: "PromptSubmit", hook_id: "router", kind: "routing_hint", code: "ROUTE_SUGGESTION" };
    const control = {
      type: "control",
      turn_ready: true,
      source_event: "PromptSubmit",
      hook_signals: [{ ...signal, payload: hint }],
    };
    expect(run.events.filter(({ type }) => type === "control")).toEqual([control]);
    const [said = ""] = run.modelSaw(1);
    const [, context = ""] = /^user: say hello\n\n<hook_context>(.*)<\/hook_context>$/s.exec(said) ?? [];
    expect(JSON.parse(context)).toEqual(control);
  });

  test("without signals the turn is ready all the same, and the model reads the prompt alone", async () => {
    const run = await project([watcher("PromptSubmit")]).run({ output: "stream-json", answers: [says("Hello.")] });
    expect(run.modelSaw(1)).toEqual(["user: go"]);
    expect(run.events.filter(({ type }) => type === "control")).toEqual([
      { type: "control", turn_ready: true, source_event: "PromptSubmit", hook_signals: [] },
    ]);
  });

  test("signals of the wrong kind are dropped, and those of others are kept", async () => {
    const wrong = { kind: "ability_guard", code: "ABILITY_DENIED", payload: {} };
    const right = { kind: "normalized_intent", code: "INTENT", payload: { topic: "greeting" } };
    const router: Hook = { on: "PromptSubmit", name: "router", answers: { hook_signals: [wrong, right] } };
    const run = await project([router]).run({ output: "stream-json", answers: [says("Hello.")] });
    const [control] = run.events.filter(({ type }) => type === "control");
    expect(control?.hook_signals).toMatchObject([{ kind: "normalized_intent" }]);
    expect(run.code).toBe(0);
  });

  test("a PromptSubmit hook that exits with 2 keeps the turn from being planned", async () => {
    const guard: Hook = { on: "PromptSubmit", name: "guard", runs: "echo 'Not on a Sunday.' >&2; exit 2" };
    const run = await project([guard]).run({ answers: [says("Hello.")] });
    expect([run.code, run.requests.length]).toEqual([2, 0]);
    expect(run.json.stopped).toEqual({ event: "PromptSubmit", hook: "guard", reason: "Not on a Sunday." });
  });
});

describe("the tools for tasks", () => {
  test("are offered where there are abilities, and only there", async () => {
    const names = (run: AgentRun) =>
      z
        .array(z.object({ functionDeclarations: z.array(z.looseObject({ name: z.string() })) }))
        .parse(run.config(1).tools)
        .flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name));
    const tasks = ["list_abilities", "create_task", "run_task"];
    expect(names(await project().run({ answers: [says("Hi.")] }))).toEqual(expect.arrayContaining(tasks));
    const without = names(await new AgentProject().run({ answers: [says("Hi.")] }));
    expect(without.filter((name) => tasks.includes(name))).toEqual([]);
  });

  test("list_abilities tells the model what there is, and with which input", async () => {
    const run = await project().run({ answers: [calls("list_abilities", {}), says("I see.")] });
    const text = run.modelSaw(2).at(-1)?.replace("list_abilities returned: ", "") ?? "";
    expect(JSON.parse(text)).toEqual([
      {
        id: "greet",
        summary: "Says hello.",
        operation_keys: ["say.hello"],
        input: GREET[".system/abilities/greet.yaml"].input,
      },
    ]);
  });

  test("a task is created and run on behalf of the session, past the hooks of the ability and of the tools", async () => {
    const watched = ["PreAbilityCreate", "PreAbilityCall", "PostAbilityCall"].map(watcher);
    const here = project([...RUN_WHAT_WAS_CREATED, ...watched]);
    const run = await here.run({ answers: [CREATE, RUN, says("Done.")] });
    const { session } = run.json;
    const task_key = here.machine.read("seen/key").trim();
    const caller = { source: "ai_session", session_id: session };
    expect(told(run, 2)).toEqual({ task_key, ability_id: "greet", status: "created", hook_signals: [] });
    expect(told(run, 3)).toEqual({
      task_key,
      ability_id: "greet",
      status: "success",
      output: `hello from ${session}`,
      changed_files: ["hello.txt"],
      duration_ms: expect.any(Number),
      hook_signals: [],
    });
    const session_id = session;
    expect(run.seen("preabilitycreate")).toMatchObject([
      { session_id, ability_ref: { kind: "operation_key", value: "say.hello" }, environment: "dev", caller },
    ]);
    // The tools for tasks are no abilities themselves: there is one call, that of the ability.
    expect(run.seen("preabilitycall")).toMatchObject([{ session_id, ability_id: "greet", task_key, caller }]);
    expect(run.seen("postabilitycall")).toMatchObject([
      { session_id, ability_id: "greet", task_key, status: "success" },
    ]);
    expect(here.lines("seen/greet.jsonl", z.looseObject({}))).toEqual([{ name: "you" }]);
    expect(run.json.toolCalls.map(({ name, status }) => [name, status])).toEqual([
      ["create_task", "success"],
      ["run_task", "success"],
    ]);
  });

  test("what hooks say is unavailable comes back as data, and there is no task", async () => {
    const payload = { reason: "Operation is not enabled in prod.", suggestion: "Use staging." };
    const answers = signals("ability_preflight", "ABILITY_UNAVAILABLE", payload);
    const here = project([{ on: "PreAbilityCreate", name: "check", answers }]);
    const run = await here.run({ answers: [CREATE, says("Then not.")] });
    expect(told(run, 2)).toEqual({
      status: "unavailable",
      code: "ABILITY_UNAVAILABLE",
      reason: payload.reason,
      hook_signals: [expect.objectContaining({ hook_id: "check", kind: "ability_preflight", payload })],
    });
    expect(run.json.toolCalls).toMatchObject([{ name: "create_task", status: "blocked", blockedBy: "check" }]);
    expect(await listed(here)).toEqual([]);
    expect([run.code, run.json.response]).toEqual([0, "Then not."]);
  });

  test("what a guard denies comes back as data, is not run and has no PostAbilityCall", async () => {
    const answers = signals("ability_guard", "ABILITY_DENIED", { reason: "Not today." });
    const guard: Hook = { on: "PreAbilityCall", name: "guard", matcher: "^greet$", answers };
    const here = project([...RUN_WHAT_WAS_CREATED, guard, watcher("PostAbilityCall")]);
    const run = await here.run({ answers: [CREATE, RUN, says("Then not.")] });
    expect(told(run, 3)).toMatchObject({ status: "denied", code: "ABILITY_DENIED", reason: "Not today." });
    expect(run.json.toolCalls.at(-1)).toMatchObject({ name: "run_task", status: "blocked", blockedBy: "guard" });
    expect(run.seen("postabilitycall")).toEqual([]);
    expect(run.has("hello.txt")).toBe(false);
    expect(await listed(here)).toMatchObject([{ status: "denied" }]);
  });

  test.each([
    ["an ability that is not there", calls("create_task", { ability: "great" }), /no ability "great".*greet/s],
    [
      "an input that its schema does not allow",
      calls("create_task", { ability: "greet", input: { name: 7 } }),
      /input of "greet" is invalid/,
    ],
    ["a task that is not there", calls("run_task", { task_key: "t-0000000000" }), /t-0000000000/],
    ["a key that is none", calls("run_task", { task_key: "../../etc/passwd" }), /passwd/],
  ])("%s is told to the model, and the turn goes on", async (_, call, message) => {
    const run = await project().run({ answers: [call, says("Sorry.")] });
    expect(run.modelSaw(2).at(-1)).toMatch(/^\w+_task failed: /);
    expect(run.modelSaw(2).at(-1)).toMatch(message);
    expect([run.code, run.json.response]).toEqual([0, "Sorry."]);
  });

  test("a task does not run a second time by mistake, but it does if the model means it", async () => {
    const again = calls("run_task", { task_key: "the same", again: true });
    const here = project(RUN_WHAT_WAS_CREATED);
    const run = await here.run({ answers: [CREATE, RUN, RUN, again, says("Done.")] });
    expect(run.modelSaw(4).at(-1)).toMatch(/^run_task failed: .*has already run/s);
    expect(told(run, 5)).toMatchObject({ status: "success" });
    expect(here.lines("seen/greet.jsonl", z.looseObject({}))).toHaveLength(2);
  });

  test("a task that is not there is told to the model where a person would be asked, too", async () => {
    const answers = [calls("run_task", { task_key: "t-0000000000" }), says("Sorry.")];
    const run = await project().run({ mode: "default", answers });
    expect(run.modelSaw(2).at(-1)).toMatch(/^run_task failed: .*t-0000000000/);
    expect([run.code, run.json.response]).toEqual([0, "Sorry."]);
  });

  test("to run one needs the person's leave like any other program, and to create one does not", async () => {
    const here = project(RUN_WHAT_WAS_CREATED);
    const run = await here.run({ mode: "auto-edit", answers: [CREATE, RUN, says("Then not.")] });
    expect(run.json.toolCalls.map(({ status }) => status)).toEqual(["success", "denied"]);
    expect(await listed(here)).toMatchObject([{ status: "created", runs: 0 }]);
  });
});

describe("where a person is required and nobody is there", () => {
  const asking = (on: string, kind: string): Hook => ({
    on,
    name: "asks",
    matcher: "greet|say",
    answers: signals(kind, "ABILITY_REQUIRES_HUMAN", { reason: "Is that wise?" }),
  });

  test.each([
    ["the creation", "PreAbilityCreate", "ability_preflight"],
    ["the run", "PreAbilityCall", "ability_guard"],
  ])("%s leaves the task waiting, says how to approve it, and after that it runs", async (_, on, kind) => {
    const here = project([...RUN_WHAT_WAS_CREATED, asking(on, kind)]);
    const run = await here.run({ answers: [CREATE, RUN, says("Please approve it.")] });
    const task_key = here.machine.read("seen/key").trim();
    const approve_with = `hookline task approve ${task_key}`;
    const code = "ABILITY_REQUIRES_HUMAN";
    expect(told(run, 3)).toMatchObject({
      status: "awaiting_human",
      code,
      reason: "Is that wise?",
      task_key,
      approve_with,
    });
    expect(run.json.toolCalls.at(-1)).toMatchObject({ name: "run_task", status: "blocked", blockedBy: "asks" });
    expect(run.stderr).toContain(approve_with);
    expect(run.has("hello.txt")).toBe(false);
    expect(await listed(here)).toMatchObject([{ task_key, status: "awaiting_human", runs: 0 }]);
    expect((await here.machine.run(["task", "approve", task_key])).code).toBe(0);
    const next = await here.run({ answers: [RUN, says("Done.")] });
    expect(told(next, 2)).toMatchObject({ status: "success", task_key });
    expect(here.file("hello.txt")).toBe("hello\n");
  });

  test("the agent cannot approve it by itself", async () => {
    const here = project([...RUN_WHAT_WAS_CREATED, asking("PreAbilityCall", "ability_guard")]);
    const command = `'${process.execPath}' '${BINARY}' task approve "$(cat ../seen/key)"`;
    const run = await here.run({
      answers: [CREATE, RUN, calls("run_shell_command", { command }), RUN, says("It did not work.")],
    });
    expect(run.modelSaw(4).at(-1)).toContain("is for a person, but was started in an agent's session");
    expect(await listed(here)).toMatchObject([{ status: "awaiting_human", runs: 0 }]);
  });
});

test.skipIf(!hasProgram("tmux"))(
  "in a chat the person is asked, and later prompts come with the files in use",
  { timeout: 180_000 },
  async () => {
    const answers = signals("ability_guard", "ABILITY_DENIED", { reason: "Is that wise?", require_human: true });
    const guard: Hook = { on: "PreAbilityCall", name: "guard", matcher: "^greet$", answers };
    const here = project([...RUN_WHAT_WAS_CREATED, guard, watcher("PromptSubmit")], { "a.txt": "A\n" });
    const chat = new TestChat(here, {
      args: "--trust-project --approval-mode yolo",
      answers: [calls("read_file", { file_path: "a.txt" }), CREATE, RUN, says("I greeted."), says("Bye.")],
    });
    await chat.says("greet them");
    await chat.shows("Is that wise?");
    await chat.shows("● No");
    expect(here.machine.has("project/hello.txt")).toBe(false);
    chat.keys("Up", "Enter");
    await chat.shows("I greeted.");
    await chat.isReady();
    expect(here.file("hello.txt")).toBe("hello\n");
    await chat.says("thanks");
    await chat.shows("Bye.");
    expect(here.seen("promptsubmit")).toMatchObject([
      { user_raw_input: "greet them", current_files: [] },
      { user_raw_input: "thanks", current_files: ["a.txt", "hello.txt"] },
    ]);
  },
);

test("one guard on edit_file stops the agent's own replace, and sees it by that name", async () => {
  const answers = signals("ability_guard", "ABILITY_DENIED", { reason: "Production is not edited here." });
  const hook = {
    id: "prod_config_guard",
    event_type: "PreAbilityCall",
    enabled: true,
    blocking: true,
    match: { ability_scope: "edit_file" },
    handler: { kind: "script", command: "./scripts/guard.sh", timeout: "60s" },
  };
  const script = `#!/bin/sh\ncat >> ../seen/guard.jsonl; echo >> ../seen/guard.jsonl\ncat <<'ANSWER'\n${JSON.stringify(answers)}\nANSWER\n`;
  const files = { ".system/hooks/guard.yaml": hook, "scripts/guard.sh": script, "config/prod.json": "old" };
  const edit = { file_path: "config/prod.json", old_string: "old", new_string: "new" };
  const here = project([watcher("PostAbilityCall")], files);
  const run = await here.run({ answers: [calls("replace", edit), says("Then not.")] });
  expect(here.file("config/prod.json")).toBe("old");
  expect(run.json.toolCalls).toMatchObject([{ name: "replace", status: "blocked", blockedBy: "prod_config_guard" }]);
  expect(run.modelSaw(2).at(-1)).toContain("Production is not edited here.");
  expect(run.seen("guard")).toMatchObject([{ ability_id: "edit_file", args_summary: JSON.stringify(edit) }]);
  expect(run.seen("postabilitycall")).toEqual([]);
});

describe("PromptSubmit is told the files that a prompt is about", () => {
  const PATHS: readonly [string, string, readonly string[]][] = [
    ["named", "explain a.txt, please", ["a.txt"]],
    ["at the end of a sentence", "What is in src/b.ts? And in `a.txt`:", ["a.txt", "src/b.ts"]],
    ["with an at sign and a line", "look at @src/b.ts:12:3", ["src/b.ts"]],
    ["that are not there, folders, or outside", "no.txt src /etc/hosts ../x", []],
    // In quadratic time, this would take longer than a test may.
    ["beside a word of punctuation", `a.txt ${":1".repeat(60_000)}x ${"!".repeat(1_000)}`, ["a.txt"]],
  ];

  test.each(PATHS)("%s", { timeout: 60_000 }, async (_how, prompt, expected) => {
    const here = project([watcher("PromptSubmit")], { "a.txt": "A", "src/b.ts": "B" });
    const run = await here.run({ answers: [says("Yes.")], prompt });
    expect(run.seen("promptsubmit")).toMatchObject([{ current_files: expected }]);
  });

  test("in a session that is resumed", async () => {
    const here = project([watcher("PromptSubmit")], { "a.txt": "A", "gone.txt": "G" });
    const reads = callsAll(["a.txt", "gone.txt"].map((file_path) => ({ name: "read_file", args: { file_path } })));
    const first = await here.run({ answers: [reads, says("Read.")] });
    rmSync(join(here.machine.project, "gone.txt"));
    const next = await here.run({ answers: [says("Again.")], args: ["--resume", first.json.session] });
    expect(next.seen("promptsubmit").at(-1)).toMatchObject({ current_files: ["a.txt"] });
  });
});

describe("at the end of a session", () => {
  const writes = callsAll([
    { name: "read_file", args: { file_path: "a.txt" } },
    { name: "write_file", args: { file_path: "b.txt", content: "B" } },
    {
      name: "run_shell_command",
      args: { command: "mkdir -p 'sub dir' && echo C > 'sub dir/ü.txt' && echo A2 > a.txt" },
    },
  ]);

  test("SessionStop is told what tools and abilities changed, which were used, and what became of tasks", async () => {
    const here = project([...RUN_WHAT_WAS_CREATED, watcher("SessionStop")], { "a.txt": "A" });
    const run = await here.run({ answers: [writes, CREATE, RUN, CREATE, says("Done.")] });
    const [stop] = run.seen("sessionstop");
    const [{ task_key: _, ...left } = { task_key: "" }, ran] = await listed(here);
    expect(left).toMatchObject({ status: "created" });
    expect(stop).toMatchObject({
      event_type: "SessionStop",
      session_id: run.json.session,
      changed_files: expect.arrayContaining(["a.txt", "b.txt", "hello.txt", "sub dir/ü.txt"]),
      abilities_used: ["read_file", "write_file", "run_shell_command", "greet"],
      tasks_summary: [{ task_key: ran?.task_key, ability_id: "greet", status: "success" }],
    });
    const [started, ended] = [stop?.started_at, stop?.ended_at].map((at) => Date.parse(z.iso.datetime().parse(at)));
    expect(started).toBeLessThanOrEqual(ended ?? 0);
  });

  test("without git, also what a shell command changed and removed, but not what was changed before", async () => {
    const files = {
      "a.txt": "A",
      "old.txt": "old",
      "kept.txt": "kept",
      "node_modules/x/i.js": "",
      ".gitignore": "*.log\n",
      "b.log": "",
    };
    const here = project([watcher("SessionStop")], files);
    const command = "rm old.txt; echo x > node_modules/x/i.js; echo x > b.log";
    const run = await here.run({ answers: [writes, calls("run_shell_command", { command }), says("Done.")] });
    const [{ changed_files } = { changed_files: [] }] = run.seen("sessionstop");
    const named = z.array(z.string()).parse(changed_files);
    const expected = ["a.txt", "b.log", "b.txt", "kept.txt", "node_modules/x/i.js", "old.txt", "sub dir/ü.txt"];
    expect(expected.filter((path) => named.includes(path))).toEqual(["a.txt", "b.txt", "old.txt", "sub dir/ü.txt"]);
  });

  test("without git and with too many files, it is said that the changes are not known", async () => {
    const here = project([watcher("SessionStop")], { "a.txt": "A" });
    mkdirSync(join(here.machine.project, "many"));
    for (let n = 0; n <= 20_000; n += 1) writeFileSync(join(here.machine.project, "many", String(n)), "");
    const run = await here.run({ answers: [writes, says("Done.")] });
    expect(run.seen("sessionstop")[0]).not.toHaveProperty("changed_files");
    expect(run.stderr).toContain("the project has more than 20000 files or is slow to read, so it is unknown");
  });

  describe.skipIf(!hasProgram("git"))("in a git repository", () => {
    const WHO = "-c user.name=T -c user.email=t@example.org";
    const commitOf = (file: string) => `echo D > ${file} && git add ${file} && git ${WHO} commit --quiet -m ${file}`;

    function repository(): AgentProject {
      const files = { "a.txt": "A", "dirty.txt": "before", "sub/kept.txt": "kept" };
      const here = project([watcher("SessionStop")], files);
      git(here, "init", "--quiet");
      return here;
    }

    function git({ machine }: AgentProject, ...words: string[]): void {
      execFileSync("git", [...WHO.split(" "), ...words], { cwd: machine.project, env: machine.env() });
    }

    test("also what a shell command changed, and a commit, but not what was changed before", async () => {
      const here = repository();
      git(here, "add", "a.txt", "sub");
      git(here, "commit", "--quiet", "-m", "first");
      const command = commitOf("d.txt");
      const run = await here.run({ answers: [writes, calls("run_shell_command", { command }), says("Done.")] });
      expect(run.seen("sessionstop")).toMatchObject([{ changed_files: ["a.txt", "b.txt", "d.txt", "sub dir/ü.txt"] }]);
    });

    test("also its first commit", async () => {
      const here = repository();
      const command = commitOf("d.txt");
      const run = await here.run({ answers: [calls("run_shell_command", { command }), says("Done.")] });
      expect(run.seen("sessionstop")).toMatchObject([{ changed_files: ["d.txt"] }]);
    });
  });

  test("nobody looks for changes where no hook waits for them", async () => {
    const run = await project().run({ answers: [writes, says("Done.")] });
    expect(run.code).toBe(0);
  });
});

/** The tasks of a project, the newest first. */
async function listed(here: AgentProject) {
  const { stdout } = await here.machine.cli(["task", "list", "--json"]);
  const task = z.looseObject({ task_key: z.string(), status: z.string() });
  return z.object({ tasks: z.array(task) }).parse(JSON.parse(stdout)).tasks;
}
