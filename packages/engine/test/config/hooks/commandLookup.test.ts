import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { resolveCommand } from "../../../src/config/hooks/commandLookup.ts";
import { placeVariables } from "../../../src/config/values/variables.ts";
import { HooklineError } from "../../../src/errors.ts";
import { workspace } from "../workspace.ts";

const FILES = {
  "root/hooks/a.sh": "",
  "root/hooks/a.py": "",
  "root/both.sh": "root",
  "root/.hookline/both.sh": "beside",
  "root/.hookline/beside.sh": "",
  "root/my hooks/it's.sh": "",
  "root/bin/node": "",
  "root/lib.sh": "",
  "root/conf.json": "",
};

interface Case {
  readonly command: string;
  readonly text: string;
  readonly files?: readonly string[];
  readonly uncovered?: readonly string[];
}

const same = (command: string, more: Partial<Case> = {}): Case => ({ command, text: command, ...more });

const CASES: readonly Case[] = [
  { command: "./hooks/a.sh --x 'y z'", text: "ROOT/hooks/a.sh --x 'y z'", files: ["hooks/a.sh"] },
  { command: "hooks/a.sh", text: "ROOT/hooks/a.sh", files: ["hooks/a.sh"] },
  { command: "MODE=fast ./hooks/a.sh", text: "MODE=fast ROOT/hooks/a.sh", files: ["hooks/a.sh"] },
  { command: "both.sh/../both.sh", text: "ROOT/both.sh", files: ["both.sh"] },
  { command: "./both.sh", text: "ROOT/both.sh", files: ["both.sh"] },
  { command: "./beside.sh", text: "ROOT/.hookline/beside.sh", files: [".hookline/beside.sh"] },
  { command: `"my hooks/it's.sh" -v`, text: `'ROOT/my hooks/it'\\''s.sh' -v`, files: ["my hooks/it's.sh"] },
  { command: "python3 hooks/a.py", text: "python3 ROOT/hooks/a.py", files: ["hooks/a.py"] },
  {
    command: "python3.12 -u -W ignore hooks/a.py x",
    text: "python3.12 -u -W ignore ROOT/hooks/a.py x",
    files: ["hooks/a.py"],
  },
  { command: "env A=1 python3 hooks/a.py", text: "env A=1 python3 ROOT/hooks/a.py", files: ["hooks/a.py"] },
  {
    command: "/usr/bin/env -u B bash hooks/a.sh",
    text: "/usr/bin/env -u B bash ROOT/hooks/a.sh",
    files: ["hooks/a.sh"],
  },
  { command: "/bin/sh hooks/a.sh", text: "/bin/sh ROOT/hooks/a.sh", files: ["hooks/a.sh"] },
  { command: "bash -e both.sh", text: "bash -e ROOT/both.sh", files: ["both.sh"] },
  { command: "bash -euo pipefail -- both.sh", text: "bash -euo pipefail -- ROOT/both.sh", files: ["both.sh"] },
  {
    command: "deno run --allow-read hooks/a.py",
    text: "deno run --allow-read ROOT/hooks/a.py",
    files: ["hooks/a.py"],
    uncovered: ["deno run --allow-read"],
  },
  { command: "./bin/node hooks/a.py", text: "ROOT/bin/node ROOT/hooks/a.py", files: ["bin/node", "hooks/a.py"] },
  { command: "node .", text: "node ROOT", uncovered: ["ROOT"] },
  {
    command: "./hooks/a.sh conf.json --c=lib.sh",
    text: "ROOT/hooks/a.sh conf.json --c=lib.sh",
    files: ["hooks/a.sh", "conf.json", "lib.sh"],
  },
  {
    command: "./hooks/a.sh && ./both.sh",
    text: "ROOT/hooks/a.sh && ./both.sh",
    files: ["hooks/a.sh", "both.sh"],
  },
  {
    command: "./hooks/a.sh | tools/filter",
    text: "ROOT/hooks/a.sh | tools/filter",
    files: ["hooks/a.sh"],
    uncovered: ["tools/filter"],
  },
  same(". ./lib.sh; check", { files: ["lib.sh"] }),
  same("source lib.sh && x", { files: ["lib.sh"] }),
  same(". ../outside.sh", { uncovered: ["../outside.sh"] }),
  same("jq -e .tool_input"),
  same("true"),
  same("exit 2"),
  same("cat /dev/null 2>/dev/null"),
  same("npm run lint -- --quiet", { uncovered: ["npm run lint -- --quiet"] }),
  same("make check", { uncovered: ["make check"] }),
  same("bun run lint", { uncovered: ["bun run lint"] }),
  same("bash -c './hooks/a.sh | cat'", { files: ["hooks/a.sh"] }),
  same("node -e 'process.exit(2)'", { uncovered: ["node -e process.exit"] }),
  same("python3 -m guard", { uncovered: ["python3 -m guard"] }),
  same("cd hooks && timeout 5 python3 -I -c 'import a'", {
    uncovered: ["python3 -I -c import", "what is started in ROOT/hooks"],
  }),
  same("cd hooks && python3 a.py", { files: ["hooks/a.py"], uncovered: ["what is started in ROOT/hooks"] }),
  same('cd "$HOOKLINE_PROJECT_DIR" && sh hooks/a.sh', { text: 'cd "ROOT" && sh hooks/a.sh', files: ["hooks/a.sh"] }),
  same('"$(git rev-parse --show-toplevel)"/hooks/a.sh', {
    files: ["hooks/a.sh"],
    uncovered: ["$(…)/hooks/a.sh"],
  }),
  same("perl -Ilib -Mguard hooks/a.py", {
    text: "perl -Ilib -Mguard ROOT/hooks/a.py",
    files: ["hooks/a.py"],
    uncovered: ["perl -Ilib -Mguard"],
  }),
  same("node --import=./lib.sh -r ./both.sh hooks/a.py", {
    text: "node --import=./lib.sh -r ./both.sh ROOT/hooks/a.py",
    files: ["hooks/a.py", "lib.sh", "both.sh"],
  }),
  same("BASH_ENV=./lib.sh bash both.sh", { text: "BASH_ENV=./lib.sh bash ROOT/both.sh", files: ["both.sh", "lib.sh"] }),
  same("PYTHONPATH=hooks python3 hooks/a.py", {
    text: "PYTHONPATH=hooks python3 ROOT/hooks/a.py",
    files: ["hooks/a.py"],
    uncovered: ["PYTHONPATH=hooks"],
  }),
  same("cat > conf.json; cat >> lib.sh; touch both.sh; jq . | tee -a conf.json"),
  same("deno run https://example.org/x.ts", {
    uncovered: ["deno run https://example.org/x.ts", "https://example.org/x.ts"],
  }),
  same('"$HOOKLINE_PROJECT_DIR"/hooks/a.sh', { text: "ROOT/hooks/a.sh", files: ["hooks/a.sh"] }),
  same("sh $GEMINI_PROJECT_DIR/hooks/a.sh x", { text: "sh ROOT/hooks/a.sh x", files: ["hooks/a.sh"] }),
  same(`"\${CLAUDE_PROJECT_DIR}/my hooks/it's.sh"`, {
    text: `'ROOT/my hooks/it'\\''s.sh'`,
    files: ["my hooks/it's.sh"],
  }),
  same("hooks/a.sh --rules $GEMINI_CWD/conf.json", {
    text: "ROOT/hooks/a.sh --rules ROOT/conf.json",
    files: ["hooks/a.sh", "conf.json"],
  }),
  same("hooks/{a,b}.sh", { uncovered: ["hooks/{a,b}.sh"] }),
  same("cat hooks/*.sh | sh", { uncovered: ["hooks/*.sh"] }),
  same(`sh -c 'exec "$GEMINI_CWD"/both.sh'`, { files: ["both.sh"] }),
  same("cat | $GEMINI_PROJECT_DIR/both.sh", { text: "cat | ROOT/both.sh", files: ["both.sh"] }),
  same("echo $(cat $HOOKLINE_PROJECT_DIR/conf.json)", { files: ["conf.json"] }),
  same("my\\ hooks/it\\'s.sh", { text: `'ROOT/my hooks/it'\\''s.sh'`, files: ["my hooks/it's.sh"] }),
  same("~/guard.sh", { uncovered: ["~/guard.sh"] }),
  same("if ./both.sh; then exit 2; fi", { files: ["both.sh"] }),
];

test.each(CASES)("$command starts $text", async ({ command, text, files = [], uncovered = [] }) => {
  const { dir } = await workspace(FILES);
  const root = join(dir, "root");
  const variables = placeVariables(root, root);
  const dirs = [root, join(root, ".hookline")];
  const resolved = resolveCommand(command, { dirs, path: "/usr/bin:/bin", variables, project: root });
  expect(resolved).toEqual({
    text: text.replaceAll("ROOT", root),
    files: files.map((file) => join(root, file)),
    uncovered: uncovered.map((word) => word.replaceAll("ROOT", root)),
  });
});

test.each([
  ["./gone.sh", '"./gone.sh" was not found; looked for ROOT/gone.sh and ROOT/.hookline/gone.sh.'],
  ["python3 gone.py", '"gone.py" was not found; looked for ROOT/gone.py and ROOT/.hookline/gone.py.'],
  ["/nowhere/guard.sh", '"/nowhere/guard.sh" was not found; looked for /nowhere/guard.sh.'],
  ["./hooks/", '"./hooks/" is a folder, not a program: ROOT/hooks.'],
  ["sh $CLAUDE_PROJECT_DIR/gone.sh", '"ROOT/gone.sh" was not found; looked for ROOT/gone.sh.'],
  ['"$GEMINI_PROJECT_DIR/gone.sh"', '"ROOT/gone.sh" was not found; looked for ROOT/gone.sh.'],
  ["both.sh/x", '"both.sh/x" was not found; looked for ROOT/both.sh/x and ROOT/.hookline/both.sh/x.'],
])("%s is found nowhere, and the error names the places", async (command, what) => {
  const { dir } = await workspace(FILES);
  const root = join(dir, "root");
  const lookup = { dirs: [root, join(root, ".hookline")], path: "", variables: placeVariables(root, root) };
  const look = () => resolveCommand(command, lookup);
  expect(look).toThrow(HooklineError);
  expect(look).toThrow(what.replaceAll("ROOT", root));
});

test("a project hook is looked up in the project root, then beside its file; a user's only beside its file", async () => {
  const settings = (name: string) => ({
    hooks: { BeforeTool: [{ hooks: [{ type: "command", name, command: "./x.sh" }] }] },
  });
  const space = await workspace({
    "project/x.sh": "#!/bin/sh\n",
    "project/.gemini/x.sh": "#!/bin/sh\n",
    "project/.gemini/settings.json": settings("project-gemini"),
    "home/x.sh": "#!/bin/sh\n",
    "home/.gemini/x.sh": "#!/bin/sh\n",
    "home/.gemini/settings.json": settings("user-gemini"),
    "etc/x.sh": "#!/bin/sh\n",
    "etc/settings.json": settings("system"),
    "home/.hookline/extensions/e/hooks/x.sh": "#!/bin/sh\n",
    "home/.hookline/extensions/e/hooks/hooks.json": settings("extension"),
  });
  const { hooks } = await space.load();
  expect(space.relative(hooks.map(({ name, target }) => [name, target?.identity]))).toEqual([
    ["project-gemini", "project/x.sh"],
    ["user-gemini", "home/.gemini/x.sh"],
    ["system", "etc/x.sh"],
    ["extension", "home/.hookline/extensions/e/hooks/x.sh"],
  ]);
});

test.each([
  ["timeout 5 own/x.sh", "timeout 5 HOME/own/x.sh"],
  ["true; own/x.sh", "true; HOME/own/x.sh"],
  ["cat | ./own/x.sh", "cat | HOME/own/x.sh"],
  ["(own/x.sh)", "(HOME/own/x.sh)"],
  [". own/x.sh && own/x.sh", ". HOME/own/x.sh && HOME/own/x.sh"],
  ["sh -c 'own/x.sh a'", "sh -c 'HOME/own/x.sh a'"],
  ["BASH_ENV=own/x.sh bash -c true", "BASH_ENV=HOME/own/x.sh bash -c true"],
  ["node --import=./own/x.sh -e 1", "node --import=HOME/own/x.sh -e 1"],
  ["echo $OTHER/own/x.sh https://a/own/x.sh", "echo $OTHER/own/x.sh https://a/own/x.sh"],
  ["cat theirs/x.sh", "cat theirs/x.sh"],
])("in a user's hook, files beside its settings are the user's, not the project's: %s", async (command, text) => {
  const space = await workspace({
    "home/.hookline/own/x.sh": "#!/bin/sh\n",
    "home/.hookline/settings.json": { hooks: { BeforeTool: [{ hooks: [{ type: "command", command }] }] } },
    "project/own/x.sh": "#!/bin/sh\n",
    "project/theirs/x.sh": "#!/bin/sh\n",
  });
  const { hooks } = await space.load();
  const own = join(space.dir, "home/.hookline/own");
  expect(hooks.map(({ target }) => target?.fields.command)).toEqual([text.replaceAll("HOME/own", own)]);
});

test("a script that is not executable, an interpreter and a jq that are not installed are doubted", async () => {
  const hook = (command: string) => ({ type: "command", command });
  const space = await workspace({
    "project/x.sh": "#!/bin/sh\n",
    "project/x.rb": "",
    "project/.hookline/settings.json": {
      hooks: { AfterTool: [{ hooks: [hook("./x.sh"), hook("ruby x.rb"), hook("cat | jq .x"), hook("sh x.sh")] }] },
    },
  });
  await chmod(join(space.project, "x.sh"), 0o644);
  await space.write({ "bin/sh": "" });
  await chmod(join(space.dir, "bin/sh"), 0o755);
  const { hooks, problems } = await space.load({ path: join(space.dir, "bin") });
  expect(space.relative(problems.map(({ severity, what, next }) => [severity, what, next]))).toEqual([
    ["warning", "project/x.sh is not executable.", "Run chmod +x project/x.sh."],
    ["warning", '"ruby" is not in PATH.', "Install ruby, or write its full path."],
    ["warning", '"jq" is not in PATH.', "Install jq, or write its full path."],
  ]);
  expect(hooks.map(({ off }) => off)).toEqual([undefined, undefined, undefined, undefined]);
});
