import { expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE, SYSTEM_FILE, USER_FILE } from "../support/machine.ts";

const FILES = {
  [PROJECT_FILE]: {
    ...hooksOn("BeforeTool", [{ name: "check", command: "true" }], { matcher: "Edit" }),
    hooksConfig: { disabled: ["tracker"] },
  },
  "project/.system/hooks/tracker.yaml":
    'id: tracker\nevent_type: PostAbilityCall\nenabled: true\nblocking: false\nmatch: { ability_scope: "*", min_duration_ms: 50 }\nhandler: { kind: script, command: "true", timeout: 5s }\n',
  [USER_FILE]: hooksOn("SessionStop", [{ name: "mine", command: "./gone.sh" }]),
};

test("every hook is listed with its state, and those that are off say why", async () => {
  const machine = new Machine(FILES);
  const { code, stdout } = await machine.cli(["list"]);
  expect(code).toBe(0);
  expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
    ["id", "event_type", "enabled", "blocking", "match_summary", "last", "source"],
    ["check", "BeforeTool", "untrusted", "true", "tool=Edit", "never", ".hookline/settings.json:7"],
    [
      "tracker",
      "PostAbilityCall",
      "false",
      "false",
      "ability=* duration>=50ms",
      "never",
      ".system/hooks/tracker.yaml:1",
    ],
    ["", 'off: hooksConfig.disabled: "tracker"'],
    ["mine", "SessionStop", "broken", "false", "all", "never", "~/.hookline/settings.json:6"],
    ["", expect.stringContaining('off: "./gone.sh" was not found')],
    [""],
    ["1 hook not trusted: run `hookline trust`"],
    [expect.stringMatching(/^1 error.*: run `hookline validate`$/)],
    [""],
  ]);
});

test("--json tells the same to programs", async () => {
  const machine = new Machine(FILES);
  const { code, stdout } = await machine.cli(["list", "--json"]);
  const { hooks } = JSON.parse(stdout);
  expect(code).toBe(0);
  expect(
    hooks.map(({ id, enabled, state, layer }: Record<string, unknown>) => ({ id, enabled, state, layer })),
  ).toEqual([
    { id: "check", enabled: false, state: "untrusted", layer: "project" },
    { id: "tracker", enabled: false, state: "off", layer: "project" },
    { id: "mine", enabled: false, state: "broken", layer: "user" },
  ]);
});

test("an empty machine has no hooks", async () => {
  expect(await new Machine().cli(["list"])).toEqual({ code: 0, stdout: "No hooks are declared here.\n", stderr: "" });
});

test("hooks further out in the work tree are said not to be loaded", async () => {
  const machine = new Machine({ [PROJECT_FILE]: FILES[PROJECT_FILE], "project/sub/.hookline/settings.json": {} });
  const { stdout } = await machine.cli(["list"], { cwd: "project/sub" });
  expect(stdout).toContain("Hooks declared here, outside the project root, are not loaded.");
});

test("the system's hooks are listed too", async () => {
  const machine = new Machine({ [SYSTEM_FILE]: hooksOn("SessionEnd", [{ name: "sys", command: "true" }]) });
  const { stdout } = await machine.run(["list", "--json"]);
  expect(JSON.parse(stdout).hooks).toMatchObject([{ id: "sys", layer: "system", enabled: true }]);
});

test("a name cannot act on the terminal", async () => {
  const machine = new Machine({
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "x\u001b[2J\u202e", command: "true" }]),
  });
  const { stdout } = await machine.cli(["list"], { env: { FORCE_COLOR: "1" } });
  expect(stdout).toContain("x\\e[2J\\u202e");
  const codes = stdout
    .split("\u001b")
    .slice(1)
    .map((rest) => /^\[(1|2|22|33|39)m/.test(rest));
  expect(codes).not.toContain(false);
});

test.each([
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [{}, false],
])("with %j in a pipe, colour is %s", async (env, coloured) => {
  const { stdout } = await new Machine(FILES).cli(["list"], { env });
  expect(stdout.includes("\u001b[")).toBe(coloured);
});

test.each([
  [["--event", "BeforeTool"], ["check"]],
  [["--hook", "TRACK"], ["tracker"]],
  [["--state", "broken"], ["mine"]],
  [["--event", "SessionStop", "--hook", "check"], []],
])("%j lists only the hooks that fit", async (options, expected) => {
  const { code, stdout } = await new Machine(FILES).cli(["list", ...options, "--json"]);
  const { hooks, servers, abilities } = JSON.parse(stdout);
  expect([code, hooks.map(({ id }: { id: string }) => id), servers, abilities]).toEqual([0, expected, [], []]);
});

test("a filter that no hook fits says so, and one that means nothing is refused", async () => {
  const machine = new Machine(FILES);
  expect((await machine.cli(["list", "--hook", "nothing"])).stdout).toMatch(/^No hook matches\.\n/);
  const wrong = await machine.cli(["list", "--state", "of"]);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("it can be on, off, untrusted, broken")]);
  expect((await machine.cli(["list", "--event", "BeforeTol"])).stderr).toContain("BeforeTool");
});
