import { spawn } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { BINARY, ENGINE, endOf, type Files, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { endOrHang } from "../support/patience.ts";

const GUARD = hooksOn("BeforeTool", [{ name: "user-guard", command: "echo no >&2; exit 2", onError: "block" }]);
const REMOVES = [calls("run_shell_command", { command: "rm precious.txt" }), says("done")];

function numbered(count: number, file: (index: number) => readonly [string, string]): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => file(index)));
}

/** A project with a file that a prompt-injected model wants to remove. */
function guarded(userSettings: unknown, files: Files = {}): AgentProject {
  const project = new AgentProject({ files: { "precious.txt": "p", ...files } });
  project.machine.write({ [USER_FILE]: userSettings });
  return project;
}

const yamlHook = (index: number, more: string) =>
  `id: h${index}\nevent_type: BeforeTool\n${more}handler: { kind: script, command: 'true' }\n`;

describe("more files than file descriptors do not switch the user's guard off:", () => {
  test.each<[string, Files]>([
    ["hooks that are off", numbered(400, (i) => [`.system/hooks/h${i}.yaml`, yamlHook(i, "enabled: false\n")])],
    ["hooks that cannot be read", numbered(400, (i) => [`.system/hooks/h${i}.yaml`, "{"])],
    ["abilities", numbered(400, (i) => [`.system/abilities/a${i}.yaml`, `id: a${i}\nenabled: false\n`])],
  ])("%s", async (_what, files) => {
    const { machine } = guarded(GUARD, files);
    machine.write({ "answers.jsonl": REMOVES.map((line) => JSON.stringify(line)).join("\n") });
    const args = ["run", "-p", "go", "--model", `replay:${machine.dir}/answers.jsonl`, "--approval-mode", "yolo"];
    const limited = ["-c", 'ulimit -n 128 && exec "$0" "$@"', process.execPath, BINARY, ...args];
    const child = spawn("sh", limited, { cwd: machine.project, env: machine.env() });
    child.stdin.end();
    await endOf(child);
    expect(machine.has("project/precious.txt")).toBe(true);
  });
});

describe("a run does not start without the guards of a file that cannot be read:", () => {
  test.each<[string, (machine: Machine) => void]>([
    ["a syntax error", (machine) => machine.write({ [USER_FILE]: '{ "hooks": { "BeforeTool": [' })],
    ["a list", (machine) => machine.write({ [USER_FILE]: "[]" })],
    ["null", (machine) => machine.write({ [USER_FILE]: "null" })],
    ["an empty file", (machine) => machine.write({ [USER_FILE]: "" })],
    ["a folder", (machine) => void mkdirSync(join(machine.home, ".hookline/settings.json"), { recursive: true })],
    ["a link to nowhere", (machine) => linkTo(machine, "gone.json")],
    ["a device", (machine) => linkTo(machine, "/dev/zero")],
    ["too large a file", (machine) => machine.write({ [USER_FILE]: `{}${" ".repeat(6 * 1024 * 1024)}` })],
    ["the project's own file", (machine) => machine.write({ [PROJECT_FILE]: "{" })],
    ["a hook in YAML", (machine) => machine.write({ "project/.system/hooks/guard.yaml": "id: [" })],
  ])("%s", async (_what, spoil) => {
    const project = new AgentProject({ files: { "precious.txt": "p" } });
    spoil(project.machine);
    const run = await project.run({ answers: REMOVES });
    expect(run.code).toBe(1);
    expect(JSON.parse(run.stdout)).toMatchObject({
      error: {
        code: expect.stringMatching(/^CONFIG_/),
        where: expect.stringMatching(/settings\.json|guard\.yaml/),
        next: expect.stringContaining("--ignore-broken-settings"),
      },
    });
    expect(run.has("precious.txt")).toBe(true);
    const anyway = await project.run({ answers: REMOVES, args: ["--ignore-broken-settings"] });
    expect(anyway.json).toMatchObject({ notices: [expect.stringContaining("/"), expect.any(String)] });
  });
});

function linkTo(machine: Machine, target: string): void {
  mkdirSync(join(machine.home, ".hookline"), { recursive: true });
  symlinkSync(target, join(machine.home, ".hookline/settings.json"));
}

test("an ability does not run without the guards of a file that cannot be read", async () => {
  const machine = new Machine({
    [USER_FILE]: "{",
    "project/.system/abilities/deploy.yaml":
      "id: deploy\nsummary: x\nimplementation: { kind: script, command: 'touch ran' }\n",
  });
  const ended = await machine.cli(["ability", "run", "deploy", "--trust-project"]);
  expect([ended.code, machine.has("project/ran")]).toEqual([1, false]);
  expect(ended.stderr).toContain("--ignore-broken-settings");
});

test("a program whose user settings cannot be read does not run the tool", async () => {
  const machine = new Machine({ [USER_FILE]: "{" });
  const options = JSON.stringify({ workingDir: machine.project, homeDir: machine.home });
  machine.write({
    "embed.mjs": `import { SettingsConfig, executeToolWithHooks } from ${JSON.stringify(ENGINE)};
      const tool = async () => { console.log("RAN"); return { llmContent: "", returnDisplay: "" }; };
      const config = new SettingsConfig(${options});
      console.log(JSON.stringify(await executeToolWithHooks(config, "run_shell_command", { command: "rm x" }, tool)));`,
  });
  const ended = await endOf(spawn(process.execPath, [join(machine.dir, "embed.mjs")], { env: machine.env() }));
  expect(ended.stdout).not.toContain("RAN");
  expect(ended.stdout).toContain("settings.json:1");
});

describe("a user's guards under a key that is nearly `hooks` are said to be off:", () => {
  test.each(["Hooks", "HOOKS", "hook", "hoooks", "hooks ", "hoks"])("%j", async (key) => {
    const run = await guarded({ [key]: GUARD.hooks }).run({ answers: [says("hi")] });
    expect(run.stderr).toContain(`"${key}" is not read. Did you mean "hooks"?`);
    expect(run.json).toMatchObject({ notices: expect.arrayContaining([expect.stringContaining("Did you mean")]) });
  });

  test("no key at all", async () => {
    const run = await guarded(GUARD.hooks).run({ answers: [says("hi")] });
    expect(run.json).toMatchObject({
      notices: expect.arrayContaining([expect.stringContaining('"BeforeTool" is outside of "hooks"')]),
    });
  });
});

test.each<[string, unknown, string]>([
  ["by its name", { ...GUARD, hooksConfig: { disabled: ["user-guard"] } }, 'hooksConfig.disabled: "user-guard"'],
  ["with all others", { ...GUARD, hooksConfig: { enabled: false } }, "hooksConfig.enabled: false"],
  ["by the older switch", { ...GUARD, tools: { enableHooks: false } }, "tools.enableHooks: false"],
])("a guard that is switched off %s is said at the start of every run", async (_how, settings, what) => {
  const run = await guarded(settings).run({ answers: [says("hi")] });
  const said = `Switched off: "user-guard" (BeforeTool), by ${what} at `;
  expect(run.stderr).toContain(said);
  expect(run.json).toMatchObject({ notices: [expect.stringContaining(said)] });
});

test("a thousand problems of a clone do not hide the one of the user", async () => {
  const files = numbered(1_200, (i) => [`.system/hooks/h${i}.yaml`, `id: h${i}\nevent_type: Nothing\n`]);
  const project = guarded({ hooks: { PreToolUsed: [] } }, files);
  const run = await project.run({ answers: [says("hi")] });
  const lines = run.stderr.split("\n").filter((line) => line.includes("  ! "));
  expect(lines.length).toBeLessThan(20);
  expect(lines[0]).toContain("PreToolUsed");
  expect((await project.machine.cli(["validate"])).stdout).toContain("the rest is not read");
});

describe("of very many files of a clone only some are read, and that is said:", () => {
  test.each<[string, string, Files]>([
    ["hooks that are off", "hooks", numbered(1_400, (i) => [`h${i}.yaml`, yamlHook(i, "enabled: false\n")])],
    ["hooks that cannot be read", "hooks", numbered(1_400, (i) => [`h${i}.yml`, "{"])],
    ["abilities", "abilities", numbered(1_400, (i) => [`a${i}.yaml`, "{"])],
    ["files that are not settings", "hooks", numbered(10_100, (i) => [`h${i}.txt`, ""])],
  ])("%s", async (_what, folder, files) => {
    const machine = new Machine();
    machine.write(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/.system/${folder}/${name}`, text])),
    );
    const { code, stdout } = await machine.cli(["validate", "--json"]);
    const { problems } = JSON.parse(stdout);
    const unread = (problem: { what: string }) => problem.what.includes("the rest is not read");
    expect([code, problems.filter(unread).length]).toEqual([1, 1]);
    expect(problems.length).toBeLessThanOrEqual(1_001);
  });
});

test("many switches for many hooks of a clone do not hold up a command", async () => {
  const long = "x".repeat(60);
  const hooks = Array.from({ length: 500 }, (_, i) => ({ type: "command", name: `${long}-${i}`, command: "true" }));
  const disabled = Array.from({ length: 10_000 }, (_, i) => `${long}+${i}`);
  const machine = new Machine({ [PROJECT_FILE]: { hooks: { BeforeTool: [{ hooks }] }, hooksConfig: { disabled } } });
  expect(await endOrHang(machine.start(["explain", "BeforeTool", "glob"]))).toMatchObject({ code: 0 });
});

/** Within the largest size of a settings file, and most of a minute to read. */
const MANY_HOOKS = JSON.stringify({
  hooks: { BeforeTool: [{ hooks: Array.from({ length: 140_000 }, () => ({ type: "command", command: "a" })) }] },
});

test.each([
  ["SIGTERM", ["list"]],
  ["SIGINT", ["explain", "BeforeTool", "glob"]],
  ["SIGTERM", ["run", "-p", "go", "--model", "replay:answers.jsonl"]],
] as const)("a clone with very many hooks does not keep %s from ending the program: %j", async (signal, args) => {
  const machine = new Machine({ [PROJECT_FILE]: MANY_HOOKS, "project/answers.jsonl": JSON.stringify(says("hi")) });
  const child = machine.start(args);
  // Whatever the program does by then, it must end.
  setTimeout(() => child.kill(signal), 1_500);
  expect(await endOrHang(child)).not.toBe("hung");
});

test.each(["/*", '{"hooks": {}}/*'])("a settings file of a clone does not hang a command: %s", async (text) => {
  const machine = new Machine({ [PROJECT_FILE]: text });
  const ended = await endOrHang(machine.start(["validate"]));
  expect(ended).toMatchObject({ code: 1, stdout: expect.stringContaining("settings.json:1:") });
});

test.each(["Run_Shell_Command", "wriet_file", "run_shell_command "])(
  "a guard whose matcher %j fits no tool is said at the start of a run",
  async (matcher) => {
    const guard = { type: "command", name: "user-guard", command: "exit 2", onError: "block" };
    const project = new AgentProject();
    project.machine.write({ [USER_FILE]: { hooks: { BeforeTool: [{ matcher, hooks: [guard] }] } } });
    const run = await project.run({ answers: [says("hi")] });
    expect(run.stderr).toContain(
      `"user-guard" guards no tool of this session: nothing matches ${JSON.stringify(matcher)}`,
    );
  },
);
