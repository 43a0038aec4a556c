import { chmodSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject } from "../support/agentProject.ts";
import { type Files, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { calls, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

// What a person has trusted is what is started; what trust cannot cover, it says.

const DENIES = "#!/bin/sh\ncat > /dev/null\necho no >&2\nexit 2\n";
const ALLOWS = "#!/bin/sh\ncat > /dev/null\nexit 0\n";

interface Trusted {
  readonly files: readonly { readonly file: string }[];
  readonly uncovered: readonly string[];
}

/** What `hookline trust` says of the only thing that a project declares, and whether a person is asked again after a change. */
async function examined(files: Files, changes: Files): Promise<{ before: Trusted; state: string }> {
  const machine = new Machine({ ...files, [USER_FILE]: { approvals: { withoutTerminal: true } } });
  const look = async () => {
    const said = JSON.parse((await machine.cli(["trust", "--json"])).stdout);
    return [...said.hooks, ...said.servers, ...said.abilities][0];
  };
  const before = await look();
  expect((await machine.cli(["trust", "--yes"])).code).toBe(0);
  machine.write(changes);
  return { before, state: (await look()).state };
}

const guard = (command: string, more: Files = {}) => hooksOn("BeforeTool", [{ name: "guard", command, ...more }]);

test.each([
  ["quoted", '"$GEMINI_PROJECT_DIR"/hooks/g.sh'],
  ["bare", "$HOOKLINE_PROJECT_DIR/hooks/g.sh"],
  ["in braces", `\${CLAUDE_PROJECT_DIR}/hooks/g.sh`],
  ["after sh", "sh $GEMINI_PROJECT_DIR/hooks/g.sh"],
  ["after bash, quoted whole", `bash "\${GEMINI_CWD}/hooks/g.sh" --strict`],
  ["behind env", "env MODE=1 sh $CLAUDE_PROJECT_DIR/hooks/g.sh"],
  ["in quotes of both kinds", `"$GEMINI_PROJECT_DIR"'/hooks'/g.sh`],
  ["in a second command", "cd hooks && ./../hooks/g.sh"],
])("a script that is named by a variable, %s, is covered", async (_, command) => {
  const { before, state } = await examined(
    { "project/hooks/g.sh": DENIES, [PROJECT_FILE]: guard(command) },
    { "project/hooks/g.sh": ALLOWS },
  );
  expect([before.files.map(({ file }) => file.replace(/.*project\//, "")), state]).toEqual([["hooks/g.sh"], "changed"]);
});

test("a guard named by a variable is not rewritten by the agent, and runs in a folder with a blank", async () => {
  const project = new AgentProject();
  project.machine.write({
    "project/my app/.git/x": "",
    "project/my app/hooks/g.sh": "#!/bin/sh\nif grep -q SECRET; then echo no >&2; exit 2; fi\n",
    "project/my app/.hookline/settings.json": hooksOn("BeforeTool", [
      { name: "guard", command: "$GEMINI_PROJECT_DIR/hooks/g.sh" },
    ]),
  });
  const write = (file_path: string, content: string) => calls("write_file", { file_path, content });
  const answers = [write("a.txt", "SECRET"), write("hooks/g.sh", ALLOWS), write("b.txt", "SECRET"), says("done")];
  await project.run({ answers, mode: "auto-edit", args: ["--cwd", "my app"] });
  expect(["a.txt", "b.txt"].filter((file) => project.machine.has(`project/my app/${file}`))).toEqual([]);
  expect(project.file("my app/hooks/g.sh")).toContain("SECRET");
});

test.each([
  ['"$GEMINI_PROJECT_DIR/hooks/gone.sh"'],
  ["sh $CLAUDE_PROJECT_DIR/hooks/gone.sh"],
  [`python3 \${HOOKLINE_PROJECT_DIR}/gone.py`],
])("%s is an error at load where there is no such file", async (command) => {
  const { code, stdout } = await new Machine({ [PROJECT_FILE]: guard(command) }).cli(["validate", "--json"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("COMMAND_NOT_FOUND")]);
});

describe("code that a word or a variable names", () => {
  test.each<[string, Files, string]>([
    ["a preloaded module", guard("node --import=./pre.mjs hooks/g.mjs"), "pre.mjs"],
    ["a required module", guard("node -r ./pre.cjs hooks/g.mjs"), "pre.cjs"],
    ["BASH_ENV", guard("bash -c true", { env: { BASH_ENV: "./lib.sh" } }), "lib.sh"],
    ["NODE_OPTIONS", guard("node hooks/g.mjs", { env: { NODE_OPTIONS: "--import=./pre.mjs" } }), "pre.mjs"],
    ["LD_PRELOAD", guard("hooks/g.mjs", { env: { LD_PRELOAD: "hooks/x.so" } }), "hooks/x.so"],
    ["an assignment before the command", guard("BASH_ENV=lib.sh bash -c true"), "lib.sh"],
    ["an interpreter of the project", guard("hooks/odd.txt"), "hooks/interp"],
    ["an argument", guard("node hooks/g.mjs --rules=rules.json"), "rules.json"],
    ["a script behind cd", guard("cd hooks && node g.mjs"), "hooks/g.mjs"],
    ["a script behind cd, with a decoy", guard("cd hooks && sh ./lib.sh"), "hooks/lib.sh"],
    ["a script below $(…)", guard('node "$(git rev-parse --show-toplevel)/hooks/g.mjs"'), "hooks/g.mjs"],
    ["a script below `…`", guard("`pwd`/hooks/lib.sh"), "hooks/lib.sh"],
    [
      "an MCP server's variable",
      { mcpServers: { kit: { command: "node", args: ["hooks/g.mjs"], env: { NODE_OPTIONS: "--import=./pre.mjs" } } } },
      "pre.mjs",
    ],
  ])("%s is covered", async (_, settings, file) => {
    const files = {
      "project/hooks/g.mjs": "",
      "project/pre.mjs": "",
      "project/pre.cjs": "",
      "project/lib.sh": "",
      "project/hooks/lib.sh": "",
      "project/rules.json": "{}",
      "project/hooks/x.so": "",
      "project/hooks/interp": "#!/bin/sh\n",
      "project/hooks/odd.txt": "#!hooks/interp\n",
    };
    const { before, state } = await examined(
      { ...files, [PROJECT_FILE]: settings },
      { [`project/${file}`]: "changed" },
    );
    expect([before.files.some((one) => one.file.endsWith(`/${file}`)), state]).toEqual([true, "changed"]);
  });

  test.each<[string, Files]>([
    ["python3 -m guardmod", guard("python3 -m guardmod")],
    ["python3 -c import", guard("python3 -c 'import guard'")],
    ["node -e require", guard(`node -e 'require("./guard")'`)],
    ["PYTHONPATH=lib", guard("python3 hooks/g.py", { env: { PYTHONPATH: "lib" } })],
    ["PERL5OPT=-Mguard", guard("perl hooks/g.py", { env: { PERL5OPT: "-Mguard" } })],
    ["python3 -m server", { mcpServers: { kit: { command: "python3", args: ["-m", "server"] } } }],
    ["#!/usr/bin/env -S python3 -m guard", guard("hooks/shebang")],
    ["perl -Mguard", guard("perl -Mguard hooks/g.py")],
    ["ruby -r./guard", guard("ruby -r./guard hooks/g.py")],
    ["project/hooks", guard("cd hooks && sh g.py")],
    ["git check", guard("git check")],
    ["git -C . -c a.b=c guard --all", guard("echo x && git -C . -c a.b=c guard --all")],
    ["docker compose run guard", guard("docker compose run guard")],
    ["docker-compose run guard", guard("sh -c 'docker-compose run guard'")],
    ["podman run guard", guard("podman run guard")],
    ["pipenv run guard", guard("pipenv run guard")],
    ["bundle exec guard", guard("bundle exec guard")],
    ["pre-commit run", guard("pre-commit run --all-files")],
    ["/hooks/g.py", guard("$(pwd)/hooks/g.py")],
  ])("%s is listed as not covered", async (word, settings) => {
    const machine = new Machine({
      "project/hooks/g.py": "",
      "project/hooks/shebang": "#!/usr/bin/env -S python3 -m guard\n",
      [PROJECT_FILE]: settings,
    });
    const said = JSON.parse((await machine.cli(["trust", "--json"])).stdout);
    const [declared] = [...said.hooks, ...said.servers];
    expect(declared.uncovered).toContainEqual(expect.stringContaining(word));
  });
});

test("a script that is too large to be read is refused, and its guard blocks", async () => {
  const machine = new Machine({
    "project/hooks/g.sh": ALLOWS,
    [PROJECT_FILE]: guard("hooks/g.sh", { onError: "block" }),
  });
  truncateSync(join(machine.project, "hooks/g.sh"), 2200 * 1024 * 1024);
  const valid = await machine.cli(["validate", "--json"]);
  expect([valid.code, valid.stdout]).toEqual([1, expect.stringContaining("so trust cannot cover it")]);
  expect((await machine.cli(["fire", "BeforeTool", "--trust-project"])).code).toBe(2);
});

test.skipIf(process.getuid?.() === 0)("a script that may only be executed is refused", async () => {
  const machine = new Machine({ "project/hooks/g.sh": ALLOWS, [PROJECT_FILE]: guard("hooks/g.sh") });
  chmodSync(join(machine.project, "hooks/g.sh"), 0o111);
  const { code, stdout } = await machine.cli(["validate", "--json"]);
  expect([code, stdout]).toEqual([1, expect.stringContaining("so trust cannot cover it")]);
});

describe("hooks of the user's, in a project that nobody trusted", () => {
  const mine = (command: string) => ({ [USER_FILE]: hooksOn("BeforeTool", [{ name: "mine", command }]) });

  test.each([
    ["-c", "python3 -c 'import json; print(json.dumps({}))'"],
    ["-c behind a pipe", "cat | python3 -c 'import json; print(json.dumps({}))'"],
    ["-c in a program that starts it", "timeout 5 python3 -c 'import json; print(json.dumps({}))'"],
    ["-c in a shell", `sh -c "python3 -c 'import json; print(json.dumps({}))'"`],
    ["-m", "python3 -m json.tool"],
    ["-c behind env", "env MODE=1 python3 -u -c 'import json'"],
  ])("a json.py of the project is not loaded by python3 %s", async (_, command) => {
    if (!hasProgram("python3")) return;
    const machine = new Machine({ ...mine(command), "project/json.py": "open('PWNED', 'w')\n" });
    await machine.cli(["fire", "BeforeTool"]);
    expect(machine.has("project/PWNED")).toBe(false);
    const { stdout } = await machine.cli(["validate"]);
    expect(stdout).toContain("may load modules from there");
  });

  test.each(["python3", "exec python3 -", "python3 -u"])("nor by code on the standard input of %s", async (python) => {
    if (!hasProgram("python3")) return;
    const command = `echo 'import json; print(json.dumps({}))' | ${python}`;
    const machine = new Machine({ ...mine(command), "project/json.py": "open('PWNED', 'w')\n" });
    await machine.cli(["fire", "BeforeTool"]);
    expect(machine.has("project/PWNED")).toBe(false);
  });

  test.each([["node -e 'require(\"x\")'"], ["lua -e 'require \"x\"'"], ["cd / && timeout 5 python3 -c 'import x'"]])(
    "validate and list report %s",
    async (command) => {
      const machine = new Machine(mine(command));
      for (const words of [
        ["validate", "--json"],
        ["list", "--json"],
      ]) {
        expect((await machine.cli(words)).stdout).toContain("may load modules from there");
      }
    },
  );

  test("an interpreter that a script of the user's names by a relative path is not the project's", async () => {
    const machine = new Machine({
      ...mine("hooks/mine"),
      "home/.hookline/hooks/mine": "#!tools/interp\n",
      "project/tools/interp": "#!/bin/sh\ntouch PWNED\n",
    });
    for (const path of ["home/.hookline/hooks/mine", "project/tools/interp"]) chmodSync(join(machine.dir, path), 0o755);
    await machine.cli(["fire", "BeforeTool"]);
    expect(machine.has("project/PWNED")).toBe(false);
  });
});
