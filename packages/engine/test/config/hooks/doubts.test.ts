import { expect, test } from "vitest";
import { looksLikeGuard } from "../../../src/config/hooks/doubts.ts";
import { PROJECT_FILE, USER_FILE, workspace } from "../workspace.ts";

interface Case {
  readonly event: string;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly hook?: Readonly<Record<string, unknown>>;
  readonly said: readonly string[];
}

const CASES: readonly Case[] = [
  { event: "BeforeTool", definition: { matcher: "Edit" }, said: [] },
  { event: "BeforeAgent", definition: { matcher: "*" }, said: [] },
  { event: "BeforeAgent", definition: { matcher: "" }, said: [] },
  {
    event: "BeforeAgent",
    definition: { matcher: "Edit" },
    said: ['BeforeAgent has no subject, so the matcher "Edit" is ignored; the hook runs every time.'],
  },
  {
    event: "BeforeTool",
    definition: { matcher: "*.ts" },
    said: ['The matcher "*.ts" is not a regular expression; it matches as literal text.'],
  },
  {
    event: "BeforeTool",
    hook: { onError: "block", mode: "observe" },
    said: ['A failure of a hook in mode "observe" cannot block anything.'],
  },
  {
    event: "Notification",
    hook: { onError: "block" },
    said: ["A failure of a hook that is not blocking cannot block anything."],
  },
  { event: "AfterModel", hook: { hold: true }, said: [] },
  {
    event: "AfterModel",
    hook: { hold: true, blocking: false },
    said: ["Nothing is held for a hook that is not blocking."],
  },
  { event: "BeforeTool", hook: { hold: true }, said: ['"hold" has no meaning on BeforeTool.'] },
  {
    event: "BeforeTool",
    hook: { name: "secret-guard" },
    said: ['"secret-guard" looks like a guard, but lets everything pass when it fails.'],
  },
  { event: "BeforeTool", hook: { name: "secret-guard", onError: "block" }, said: [] },
  { event: "BeforeTool", hook: { name: "secret-guard", onError: "allow" }, said: [] },
  { event: "BeforeTool", hook: { name: "secret-guard", mode: "observe" }, said: [] },
  { event: "SessionStart", hook: { name: "secret-guard" }, said: [] },
  { event: "BeforeTool", hook: { name: "logger" }, said: [] },
];

test.each([
  ["python3 guard.py", ["guard.py is in the root of the project and could load any *.py written there."]],
  ["python3 -I guard.py", []],
  ["python3 hooks/guard.py", []],
  ["node guard.mjs", ["guard.mjs is in the root of the project and could load any *.js written there."]],
  ["./guard.sh", []],
])("a project's hook that starts %s: %j", async (command, said) => {
  const scripts = ["guard.py", "hooks/guard.py", "guard.mjs", "guard.sh"].map((path) => [
    `project/${path}`,
    "#!/bin/sh\n",
  ]);
  const hooks = { SessionEnd: [{ hooks: [{ type: "command", name: "x", command }] }] };
  const space = await workspace({ ...Object.fromEntries(scripts), [PROJECT_FILE]: { hooks } });
  const { problems } = await space.load({ path: "/usr/bin:/bin" });
  expect(problems.map(({ what }) => what).filter((what) => !what.includes("PATH"))).toEqual(said);
});

test.each(CASES)("on $event with $definition and $hook: $said", async ({ event, definition, hook, said }) => {
  const space = await workspace({
    [PROJECT_FILE]: { hooks: { [event]: [{ ...definition, hooks: [{ type: "command", command: "true", ...hook }] }] } },
  });
  const { hooks, problems } = await space.load();
  expect(problems.map(({ what }) => what)).toEqual(said);
  expect(problems.every(({ severity, code }) => severity === "warning" && code === "CONFIG_DOUBTFUL")).toBe(true);
  expect(hooks[0]?.off).toBeUndefined();
});

test.each([
  ["PreAbilityCall", "ability_scope: a", []],
  ["PostAbilityCall", "min_duration_ms: 5", []],
  ["SessionStop", "only_if_changed_paths: 'x/**'", []],
  ["BeforeTool", "ability_scope: a", ['BeforeTool has no field that "ability_scope" could be compared with.']],
  [
    "PreAbilityCall",
    "min_duration_ms: 5",
    ['PreAbilityCall has no field that "min_duration_ms" could be compared with.'],
  ],
  [
    "BeforeTool",
    "only_if_changed_paths: x",
    ['BeforeTool has no field that "only_if_changed_paths" could be compared with.'],
  ],
])("on %s the condition %s: %j", async (event, condition, said) => {
  const yaml = `id: x\nevent_type: ${event}\nmatch: { ${condition} }\nhandler: { kind: script, command: "true" }\n`;
  const space = await workspace({ "project/.system/hooks/x.yaml": yaml });
  const { problems } = await space.load();
  expect(problems.map(({ what }) => what)).toEqual(said);
});

test("a name borne three times is reported once, at the second, whatever layers bear it", async () => {
  const hook = { type: "command", name: "log", command: "true" };
  const space = await workspace({
    [PROJECT_FILE]: { hooks: { BeforeTool: [{ hooks: [hook] }], AfterTool: [{ hooks: [hook] }] } },
    [USER_FILE]: { hooks: { BeforeTool: [{ hooks: [hook] }] } },
  });
  const { problems } = await space.load();
  expect(space.said(problems)).toEqual([
    `${PROJECT_FILE}:17:11 warning "log" is also the name of the hook at ${PROJECT_FILE}:6:11 (project). 1 more have this name.`,
  ]);
});

test.each([
  ["prod_config_guard", undefined, true],
  ["x", "Prevents edits of production files", true],
  ["x", "Blocks secrets", true],
  ["logger", "a non-blocking logger", false],
])("%s (%s) looks like a guard: %s", (name, description, expected) => {
  expect(looksLikeGuard({ name, ...(description === undefined ? {} : { description }) })).toBe(expected);
});
