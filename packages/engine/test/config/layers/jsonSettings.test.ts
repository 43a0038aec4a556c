import { expect, test } from "vitest";
import { oneHook, PROJECT_FILE, workspace } from "../workspace.ts";

const GOOD = '{ "type": "command", "name": "good", "command": "true" }';

test("a full entry is read whole, with its place", async () => {
  const space = await workspace({
    "project/hooks/check_edit.sh": "#!/bin/sh\n",
    [PROJECT_FILE]: `\uFEFF{ // settings with comments
  "hooks": { "BeforeTool": [ {
    "matcher": "EditTool|WriteFileTool",
    "sequential": true,
    "hooks": [ {
      "type": "command", "name": "check-edit", "description": "looks at edits", "command": "./hooks/check_edit.sh --strict",
      "timeout": "5s", "onError": "block", "mode": "observe", "blocking": false, "hold": false,
      "env": { "LEVEL": 3, "FAST": true, "WHO": "me" }, "passEnv": ["GH_TOKEN"], "replay": "skip",
    }, ],
  } ] },
}`,
  });
  const { hooks } = await space.load();
  const command = "project/hooks/check_edit.sh --strict";
  expect(space.relative(hooks)).toEqual([
    {
      kind: "hook",
      name: "check-edit",
      description: "looks at edits",
      eventName: "BeforeTool",
      source: "project",
      family: "hookline",
      place: { file: PROJECT_FILE, line: 5, column: 16 },
      type: "command",
      target: {
        fields: { command, argv: ["project/hooks/check_edit.sh", "--strict"] },
        identity: command,
        written: "./hooks/check_edit.sh --strict",
        files: ["project/hooks/check_edit.sh"],
        uncovered: [],
      },
      matcher: "EditTool|WriteFileTool",
      match: {},
      sequential: true,
      command: "./hooks/check_edit.sh --strict",
      timeout: "5s",
      timeoutMs: 5_000,
      onError: "block",
      mode: "observe",
      blocking: false,
      hold: false,
      env: { LEVEL: "3", FAST: "true", WHO: "me" },
      passEnv: ["GH_TOKEN"],
      replay: "skip",
    },
  ]);
});

test("an entry that says only what to run has the defaults, and infra events do not wait for it", async () => {
  const hook = { type: "command", command: "true" };
  const space = await workspace({
    [PROJECT_FILE]: { hooks: { Notification: [{ hooks: [hook] }], BeforeTool: [{ hooks: [{ ...hook, name: "b" }] }] } },
  });
  const { hooks, problems } = await space.load();
  expect(problems).toEqual([]);
  expect(hooks.map(({ name, blocking }) => ({ name, blocking }))).toEqual([
    { name: "true", blocking: false },
    { name: "b", blocking: true },
  ]);
  expect(hooks[1]).toMatchObject({ timeoutMs: 60_000, onError: "allow", mode: "enforce", hold: false, replay: "run" });
});

interface BadEntry {
  readonly written: string;
  readonly said: readonly string[];
}

const LOST: readonly BadEntry[] = [
  {
    written: `"BeforeTol": [ { "hooks": [] } ]`,
    said: ['1:14 error "BeforeTol" is not an event; its hooks do not run. Did you mean "BeforeTool"?'],
  },
  { written: `"__proto__": []`, said: ['1:14 error "__proto__" is not an event; its hooks do not run.'] },
  { written: `"disabled": ["x"]`, said: ['1:14 error "disabled" is not an event; its hooks do not run.'] },
  { written: `"BeforeTool": {}`, said: ['1:28 error "BeforeTool" must be a list of definitions, got {}.'] },
  {
    written: `"BeforeTool": [ 5 ]`,
    said: ['1:30 error A definition must be an object with "hooks", got 5.'],
  },
  {
    written: `"BeforeTool": [ { "matcher": "x" } ]`,
    said: ['1:30 error This definition has no "hooks", so nothing runs.'],
  },
  { written: `"BeforeTool": [ { "hooks": {} } ]`, said: ['1:41 error "hooks" must be a list, got {}.'] },
];

test.each(LOST)("$written is reported, and only that is lost", async ({ written, said }) => {
  const space = await workspace({
    [PROJECT_FILE]: `{ "hooks": { ${written}, "AfterTool": [ { "hooks": [ ${GOOD} ] } ] } }`,
  });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual(said.map((line) => `${PROJECT_FILE}:${line}`));
  expect(hooks.map(({ name }) => name)).toEqual(["good"]);
});

const BROKEN: readonly (BadEntry & { name: string; type: string })[] = [
  {
    written: `"./guard.sh"`,
    name: "(unnamed)",
    type: "unknown",
    said: ['error A hook must be an object, got "./guard.sh".'],
  },
  {
    written: `{ "type": "comand", "command": "x" }`,
    name: "x",
    type: "comand",
    said: ['error "comand" is not a kind of hook. Did you mean "command"?'],
  },
  {
    written: `{ "type": "command", "name": "guard" }`,
    name: "guard",
    type: "command",
    said: ['error A hook of kind "command" needs "command"; this one has none.'],
  },
  {
    written: `{ "type": "command", "comand": "x" }`,
    name: "(unnamed)",
    type: "command",
    said: [
      'error A hook of kind "command" needs "command"; this one has none.',
      'error "comand" is not a field of a hook. Did you mean "command"?',
    ],
  },
  {
    written: `{ "type": "command", "command": "  " }`,
    name: "  ",
    type: "command",
    said: ['error "command" cannot be "  ": it must not be empty.'],
  },
  {
    written: `{ "type": "command", "name": "long", "command": "true ${"x".repeat(128 * 1024)}" }`,
    name: "long",
    type: "command",
    said: [expect.stringContaining("it is longer than 128 KiB, the system's limit; put it into a script.")],
  },
  {
    written: `{ "type": "command", "command": ["a"] }`,
    name: "(unnamed)",
    type: "command",
    said: ['error "command" cannot be ["a"]: it must be text.'],
  },
  {
    written: `{ "type": "command", "command": "./gone.sh" }`,
    name: "./gone.sh",
    type: "command",
    said: ['error "./gone.sh" was not found; looked for project/gone.sh and project/.hookline/gone.sh.'],
  },
];

test.each(BROKEN)(
  "$written stays listed as broken, and the hook after it runs",
  async ({ written, name, type, said }) => {
    const space = await workspace({
      [PROJECT_FILE]: `{ "hooks": { "BeforeTool": [ { "hooks": [ ${written}, ${GOOD} ] } ] } }`,
    });
    const { hooks, problems } = await space.load();
    expect(space.said(problems).map((line) => line.replace(/^\S+ /, ""))).toEqual(said);
    expect(hooks).toMatchObject([{ name, type, off: { kind: "broken" } }, { name: "good" }]);
    expect(problems).toContainEqual(hooks[0]?.off?.kind === "broken" ? hooks[0].off.problem : undefined);
    expect(hooks.map(({ target }) => target === undefined)).toEqual([true, false]);
  },
);

const UNREADABLE: readonly { hook: Record<string, unknown>; means: Record<string, unknown>; said: string }[] = [
  {
    hook: { onEror: "block" },
    means: { onError: "block" },
    said: 'error "onEror" is not a field of a hook. Did you mean "onError"? Until it is corrected, the stricter reading of "onError" holds.',
  },
  {
    hook: { onError: "blok" },
    means: { onError: "block" },
    said: 'error "onError" cannot be "blok"; until it is corrected it counts as block. Did you mean "block"?',
  },
  {
    hook: { mode: "observer" },
    means: { mode: "enforce" },
    said: 'error "mode" cannot be "observer"; until it is corrected it counts as enforce. Did you mean "observe"?',
  },
  {
    hook: { blocking: "no" },
    means: { blocking: true },
    said: 'error "blocking" cannot be "no"; until it is corrected it counts as true.',
  },
  {
    hook: { timeout: "soon" },
    means: { timeoutMs: 60_000 },
    said: 'error "timeout" "soon" is not a duration; write "250ms", "5s", "2m" or "1h". Until then it is 60s.',
  },
  { hook: { timeout: 30 }, means: { timeoutMs: 30_000 }, said: 'warning timeout 30 is read as 30 s; write "30s".' },
  {
    hook: { env: { "A=B": "x", GOOD: "y" } },
    means: { env: { GOOD: "y" } },
    said: 'error The variable "A=B" cannot be "x"; it is left out.',
  },
  { hook: { env: ["A"] }, means: { env: {} }, said: 'error "env" cannot be ["A"].' },
  { hook: { passEnv: "A" }, means: { passEnv: [] }, said: 'error "passEnv" cannot be "A".' },
  {
    hook: { replay: "no" },
    means: { replay: "skip" },
    said: 'error "replay" cannot be "no"; until it is corrected it counts as skip.',
  },
  { hook: { name: 7 }, means: { name: "true" }, said: 'error "name" cannot be 7; it is left out.' },
  { hook: { enabled: false }, means: { name: "true" }, said: 'error "enabled" has no meaning here.' },
  { hook: { matcher: "Edit" }, means: { name: "true" }, said: 'error "matcher" has no meaning here.' },
  { hook: { colour: "red" }, means: { name: "true" }, said: 'error "colour" is not a field of a hook.' },
];

test.each(UNREADABLE)(
  "a hook with $hook is kept, read the stricter way and reported",
  async ({ hook, means, said }) => {
    const space = await workspace({ [PROJECT_FILE]: oneHook(hook) });
    const { hooks, problems } = await space.load();
    expect(space.said(problems).map((line) => line.replace(/^\S+ /, ""))).toEqual([said]);
    expect(hooks).toMatchObject([means]);
    expect(hooks[0]?.off).toBeUndefined();
  },
);

test("a bare timeout in a .gemini file is milliseconds, as its own program reads it, and nothing is advised", async () => {
  const hooks = (timeout: unknown) => ({
    hooks: { BeforeTool: [{ hooks: [{ type: "command", command: "true", timeout }] }] },
  });
  const space = await workspace({ "project/.gemini/settings.json": JSON.stringify(hooks(500)) });
  const loaded = await space.load();
  expect(loaded.hooks).toMatchObject([{ timeoutMs: 500 }]);
  expect(space.said(loaded.problems).filter((line) => line.includes("timeout"))).toEqual([]);
});

test("a timeout in a .gemini file that is hardly long enough for a process is reported", async () => {
  const hooks = { BeforeTool: [{ hooks: [{ type: "command", command: "true", timeout: 30 }] }] };
  const space = await workspace({ "project/.gemini/settings.json": JSON.stringify({ hooks }) });
  const { hooks: loaded, problems } = await space.load();
  expect(loaded).toMatchObject([{ timeoutMs: 30 }]);
  expect(problems.find(({ what }) => what.includes("timeout"))).toMatchObject({
    what: "timeout 30 is read as 30 ms, as the Gemini CLI does, and few hooks answer in that time.",
    next: "If you mean 30 seconds, write 30000.",
  });
});

test("an entry without a type but with a command is run as a command, and reported", async () => {
  const space = await workspace({ [PROJECT_FILE]: `{"hooks":{"BeforeTool":[{"hooks":[{"command":"true"}]}]}}` });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual([`${PROJECT_FILE}:1:35 error This hook has no "type"; it is run as "command".`]);
  expect(hooks).toMatchObject([{ type: "command", target: { identity: "true" } }]);
});

test("an event that stands twice is an error at the second place, and the hooks of both run", async () => {
  const space = await workspace({
    [PROJECT_FILE]: `{ "hooks": {
  "BeforeTool": [ { "hooks": [ { "type": "command", "name": "checker", "command": "true" } ] } ],
  "BeforeTool": [ { "hooks": [ { "type": "command", "name": "logger", "command": "true" } ] } ] } }`,
  });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual([
    `${PROJECT_FILE}:3:3 error "BeforeTool" appears twice here; the first is on line 2.`,
  ]);
  expect(hooks.map(({ name }) => name)).toEqual(["checker", "logger"]);
});

test("hooks that stand twice at the top are read from both", async () => {
  const one = (name: string) =>
    `"hooks": {"BeforeTool":[{"hooks":[{"type":"command","name":"${name}","command":"true"}]}]}`;
  const space = await workspace({ [PROJECT_FILE]: `{ ${one("a")},\n${one("b")} }` });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual([
    `${PROJECT_FILE}:2:1 error "hooks" appears twice here; the first is on line 1.`,
  ]);
  expect(hooks.map(({ name }) => name)).toEqual(["a", "b"]);
});

test("a safety field that stands twice is read the stricter way", async () => {
  const hook = `{ "type": "command", "command": "true", "onError": "block", "onError": "allow", "command": "false" }`;
  const space = await workspace({ [PROJECT_FILE]: `{"hooks":{"BeforeTool":[{"hooks":[${hook}]}]}}` });
  const { hooks, problems } = await space.load();
  expect(problems.map(({ what }) => what)).toEqual([
    '"onError" appears twice here; the first is on line 1.',
    '"command" appears twice here; the first is on line 1.',
  ]);
  expect(hooks).toMatchObject([{ onError: "block", target: { identity: "false" } }]);
});

test("keys of other programs are left alone, and near misses of ours are doubted", async () => {
  const space = await workspace({
    "project/.gemini/settings.json": {
      theme: "dark",
      tools: { sandbox: true },
      mcpServers: {},
      hook: {},
      hooksconfig: {},
    },
  });
  const { problems } = await space.load();
  expect(problems.map(({ severity, what }) => `${severity} ${what}`)).toEqual([
    'warning "hook" is not read. Did you mean "hooks"?',
    'warning "hooksconfig" is not read. Did you mean "hooksConfig"?',
  ]);
});
