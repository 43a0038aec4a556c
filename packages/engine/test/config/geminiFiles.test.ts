import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { expandVariables } from "../../src/config/values/variables.ts";
import { oneHook, workspace } from "./workspace.ts";

const hooksFile = (name: string, more: object = {}) => oneHook({ name, ...more });

test("the system's settings of the Gemini CLI are read beside ours, and its switches reach only its own hooks", async () => {
  const space = await workspace({
    "etc/hookline/settings.json": hooksFile("ours"),
    "etc/gemini-cli/settings.json": oneHook({ name: "theirs", timeout: 900 }, { hooksConfig: { disabled: ["ours"] } }),
  });
  const { hooks } = await space.load({ systemFile: join(space.dir, "etc/hookline/settings.json") });
  expect(hooks).toMatchObject([
    { name: "ours", source: "system", family: "hookline" },
    { name: "theirs", source: "system", family: "gemini", timeoutMs: 900 },
  ]);
  expect(hooks.map(({ off }) => off)).toEqual([undefined, undefined]);
});

test("a program that names another system file means that file alone", async () => {
  const space = await workspace({ "gemini-cli/settings.json": hooksFile("planted") });
  expect((await space.load()).hooks).toEqual([]);
});

test("extensions of the Gemini CLI run after ours, with their timeouts in milliseconds and the lowest trust", async () => {
  const script = "home/.gemini/extensions/audit/hooks/run.sh";
  const space = await workspace({
    "home/.hookline/extensions/own/hooks/hooks.json": hooksFile("own"),
    "home/.gemini/extensions/audit/hooks/hooks.json": hooksFile("audit", {
      command: `\${extensionPath}/hooks/run.sh`,
      timeout: 700,
    }),
    [script]: "#!/bin/sh\n",
    "home/.gemini/extensions/extension-enablement.json": { audit: { overrides: ["/work/*"] } },
  });
  const { hooks, problems } = await space.load();
  expect(space.said(problems)).toEqual([]);
  expect(hooks).toMatchObject([
    { name: "own", source: "extensions", family: "hookline" },
    { name: "audit", source: "extensions", family: "gemini", timeoutMs: 700 },
  ]);
  expect(hooks[1]?.target?.files).toEqual([join(space.dir, script)]);
});

describe("an extension that is linked into the Gemini CLI", () => {
  const NOTE = "home/.gemini/extensions/lnk/.gemini-extension-install.json";

  test("is read from the folder it is linked to, and that is said", async () => {
    const space = await workspace({
      "work/audit/hooks/hooks.json": hooksFile("audit", { command: `\${extensionPath}/hooks/run.sh`, timeout: 700 }),
      "work/audit/hooks/run.sh": "#!/bin/sh\n",
      // Only a note belongs here: other files do not count.
      "home/.gemini/extensions/lnk/hooks/hooks.json": hooksFile("stale"),
    });
    await symlink(join(space.dir, "work"), join(space.dir, "shortcut"));
    await space.write({ [NOTE]: { source: join(space.dir, "shortcut/audit"), type: "link" } });
    const { hooks, problems, watch } = await space.load();
    expect(hooks).toMatchObject([{ name: "audit", source: "extensions", family: "gemini", timeoutMs: 700 }]);
    expect(hooks[0]?.target?.files).toEqual([join(space.dir, "work/audit/hooks/run.sh")]);
    expect(space.said(problems)).toEqual([
      `${NOTE} warning This extension is linked: its hooks are read from "work/audit".`,
    ]);
    expect(watch).toEqual(
      expect.arrayContaining([join(space.dir, NOTE), join(space.dir, "work/audit/hooks/hooks.json")]),
    );
  });

  test("to a folder of the project keeps the lowest trust, and needs none", async () => {
    const space = await workspace({ "project/ext/hooks/hooks.json": hooksFile("audit") });
    await space.write({ [NOTE]: { source: join(space.project, "ext"), type: "link" } });
    expect((await space.load()).hooks).toMatchObject([{ name: "audit", source: "extensions" }]);
  });

  test.each([
    ["gone", `is linked to "/nowhere/at/all", which is not a folder`, "/nowhere/at/all"],
    ["a relative path", `is linked, but "source" is not an absolute path`, "work/audit"],
    ["not a text", `is linked, but "source" is not an absolute path`, 7],
  ])("to what is %s is said, and its hooks do not run", async (_what, said, source) => {
    const space = await workspace({
      [NOTE]: { source, type: "link" },
      "work/audit/hooks/hooks.json": hooksFile("audit"),
    });
    const { hooks, problems } = await space.load();
    expect(hooks).toEqual([]);
    expect(space.said(problems)).toEqual([`${NOTE} error This extension ${said}, so its hooks do not run.`]);
  });

  test("cannot be told from a note that is not readable, and that is said", async () => {
    const space = await workspace({
      [NOTE]: '{"type": "link", ',
      "home/.gemini/extensions/lnk/hooks/hooks.json": hooksFile("own"),
    });
    const { hooks, problems } = await space.load();
    expect(hooks).toMatchObject([{ name: "own" }]);
    expect(space.said(problems)).toMatchObject([
      expect.stringContaining(`${NOTE} error It is not known whether this extension is linked: `),
    ]);
  });

  test.each([[{ source: "https://example.com/x", type: "git" }], ["null"], ["[]"]])(
    "is only one whose note says so: %j",
    async (note) => {
      const space = await workspace({ [NOTE]: note, "home/.gemini/extensions/lnk/hooks/hooks.json": hooksFile("own") });
      const { hooks, problems } = await space.load();
      expect(hooks).toMatchObject([{ name: "own" }]);
      expect(problems).toEqual([]);
    },
  );
});

test("that an extension is switched off for the Gemini CLI only is said", async () => {
  const space = await workspace({
    "home/.gemini/extensions/audit/hooks/hooks.json": hooksFile("audit"),
    "home/.gemini/extensions/extension-enablement.json": { audit: { overrides: ["!/work/*"] } },
  });
  const { hooks, problems } = await space.load();
  expect(hooks).toMatchObject([{ name: "audit" }]);
  expect(space.said(problems)).toEqual([
    "home/.gemini/extensions/extension-enablement.json warning This file switches extensions off for the Gemini CLI only: " +
      "here the hooks of all extensions run.",
  ]);
});

test.each([
  ["$A", "1"],
  [`\${A}/x`, "1/x"],
  ["$A$B", "12"],
  [`\${C:-none}`, "none"],
  [`\${A:-none}`, "1"],
  [`$C and \${C}`, `$C and \${C}`],
  ["5$, $$A", "5$, $1"],
])("%s in a hook's env becomes %s", (written, value) => {
  expect(expandVariables({ X: written }, { A: "1", B: "2" })).toEqual({ X: value });
});

test("a credential in a hook's env is reported, unless the hook may have it", async () => {
  const env = { TOKEN: "$GITHUB_TOKEN", DIR: "$HOME" };
  const space = await workspace({ "home/.gemini/settings.json": oneHook({ env }) });
  expect(space.said((await space.load()).problems)).toEqual([
    'home/.gemini/settings.json:9:20 warning "env" uses $GITHUB_TOKEN, which looks like a credential, so it is not filled in.',
  ]);
  await space.write({ "home/.gemini/settings.json": oneHook({ env, passEnv: ["GITHUB_TOKEN"] }) });
  expect((await space.load()).problems).toEqual([]);
});

test("a user's `node x.js` is not the project's file, and how to name that file is said", async () => {
  const space = await workspace({
    "home/.gemini/settings.json": oneHook({ command: "node tools/x.js" }),
    "project/tools/x.js": "",
  });
  const { hooks, problems } = await space.load();
  expect(hooks).toMatchObject([{ off: { kind: "broken" } }]);
  expect(problems).toMatchObject([
    {
      code: "COMMAND_NOT_FOUND",
      next: `Only a project's own hooks are looked up in the project. To run the project's file, write "$HOOKLINE_PROJECT_DIR/tools/x.js".`,
    },
  ]);
  await space.write({ "home/.gemini/settings.json": oneHook({ command: "node $HOOKLINE_PROJECT_DIR/tools/x.js" }) });
  expect((await space.load()).hooks[0]?.off).toBeUndefined();
});

test("a project's env with many variables that never end is read in linear time", async () => {
  const hook = { type: "command", command: "true", env: { LONG: "${A:-".repeat(60_000) } };
  const hooks = { BeforeTool: [{ hooks: [hook] }] };
  const space = await workspace({ "project/.gemini/settings.json": JSON.stringify({ hooks }) });
  // In quadratic time, this would take longer than a test may.
  expect((await space.load()).hooks).toMatchObject([{ env: hook.env }]);
});

test.each([
  ["/home/kim/.hookline/bin/hookline-hook gemini BeforeTool --deadline 595000 --ask-deadline 3595000", []],
  ["'/home/kim o'\\''neil/.hookline/bin/hookline-hook' gemini BeforeTool", []],
  ["echo /home/kim/.hookline/bin/hookline-hook", ["named"]],
  ["/home/kim/.hookline/bin/hookline-hook.sh", ["named"]],
])("hookline, as installed into the Gemini CLI, does not call itself: %s", async (command, expected) => {
  const space = await workspace({ "home/.gemini/settings.json": hooksFile("named", { command }) });
  const { hooks } = await space.load();
  expect(hooks.map(({ name }) => name)).toEqual(expected);
});
