import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { hooksOn, Machine, PROJECT_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";

const CASE = { name: "it", event: "BeforeTool", expect: { decision: "allow" } };
const tests = (files: Readonly<Record<string, string>>) => JSON.stringify({ tests: [{ ...CASE, files }] });
const RUN = ["test", "--trust-project"];

describe.skipIf(!hasProgram("python3"))("a test file cannot have a trusted Python hook run its code", () => {
  const EVIL = "import os\nopen(os.path.expanduser('~/RAN'), 'w')\n";
  const SCRIPT = "import json, sys\njson.load(sys.stdin)\n";
  const MODULES: readonly [string, string, Readonly<Record<string, string>>][] = [
    ["by a module beside it", "python3 hooks/guard.py", { "hooks/json.py": EVIL }],
    ["by a package beside it", "python3 hooks/guard.py", { "hooks/json/__init__.py": EVIL }],
    ["by a module in the root", "python3 -c 'import json'", { "json.py": EVIL }],
    ["by a package in the root", "sh hooks/indirect.sh", { "json/__init__.py": EVIL }],
    ["by a module that it imports from elsewhere", "python3 hooks/importing.py", { "lib/rules.py": EVIL }],
  ];

  test.each(MODULES)("%s", async (_way, command, files) => {
    const machine = new Machine({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "guard", command }]),
      "project/hooks/guard.py": SCRIPT,
      "project/hooks/importing.py": `import sys\nsys.path.insert(0, 'lib')\nimport rules\n${SCRIPT}`,
      "project/hooks/indirect.sh": "python3 -c 'import json'\n",
      "project/lib/rules.py": "",
      "project/a.hooktest.yaml": tests(files),
    });
    const { code } = await machine.cli(RUN);
    expect({ code, ran: machine.has("home/RAN") }).toEqual({ code: 1, ran: false });
  });
});

describe("a test file cannot have a trusted hook run its code", () => {
  const TOUCH = 'touch "$HOME/RAN"\n';
  const IMPORTED = "import { writeFileSync } from 'node:fs'; writeFileSync(process.env.HOME + '/RAN', '');\n";
  const WAYS: readonly [string, string, Readonly<Record<string, string>>][] = [
    ["by a module that it imports", "node hooks/guard.mjs", { "hooks/rules.mjs": IMPORTED }],
    ["by a file that it sources", "sh hooks/guard.sh", { "scripts/common.sh": TOUCH }],
    ["by a program that it starts", "hooks/starts.sh", { "tools/check.sh": `#!/bin/sh\n${TOUCH}` }],
  ];

  test.each(WAYS)("%s", async (_way, command, files) => {
    const machine = new Machine({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "guard", command }]),
      "project/hooks/guard.mjs": "import './rules.mjs';\n",
      "project/hooks/rules.mjs": "",
      "project/hooks/guard.sh": ". ./scripts/common.sh\n",
      "project/hooks/starts.sh": "#!/bin/sh\ntools/check.sh\n",
      "project/scripts/common.sh": "",
      "project/tools/check.sh": "#!/bin/sh\n",
      "project/a.hooktest.yaml": tests(files),
    });
    const { code } = await machine.cli(RUN);
    expect({ code, ran: machine.has("home/RAN") }).toEqual({ code: 1, ran: false });
  });

  test.skipIf(!hasProgram("git"))("by the configuration of a repository that it looks at", async () => {
    const machine = new Machine({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "guard", command: "git -C shop status" }]),
      "project/a.hooktest.yaml": tests({
        "shop/.git/HEAD": "ref: refs/heads/main\n",
        "shop/.git/objects/keep": "",
        "shop/.git/refs/keep": "",
        "shop/.git/config": '[core]\n\tfsmonitor = "touch $HOME/RAN"\n',
      }),
    });
    const { code } = await machine.cli(RUN);
    expect({ code, ran: machine.has("home/RAN") }).toEqual({ code: 1, ran: false });
  });
});

describe("what a hook writes into node_modules during a test or a replay", () => {
  const WRITES: readonly [string, string][] = [
    ["a cache", "node_modules/.cache/tool/state"],
    ["a package", "node_modules/evil/index.js"],
    ["a package of a scope", "node_modules/@scope/evil/index.js"],
    ["a program", "node_modules/.bin/evil"],
    ["a package of a workspace", "packages/b/node_modules/evil/index.js"],
  ];

  /** A project with packages, and a hook that writes this file. */
  function writing(path: string): Machine {
    return new Machine({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "w", command: `mkdir -p ${dirname(path)} && echo x > ${path}` }]),
      "project/node_modules/left/index.js": "",
      "project/node_modules/@scope/right/index.js": "",
      "project/node_modules/.bin/left": "",
      "project/node_modules/.cache/tool/old": "",
      "project/packages/b/node_modules/c/index.js": "",
      "project/packages/b/b.txt": "",
      "project/a.hooktest.yaml": tests({}),
    });
  }

  test.each(WRITES)("does not reach the project: %s", async (_what, path) => {
    const machine = writing(path);
    const { code } = await machine.cli(RUN);
    expect({ code, written: machine.has(`project/${path}`) }).toEqual({ code: 0, written: false });
  });

  test.each(WRITES.slice(0, 2))("does not reach the project from a replay: %s", async (_what, path) => {
    const machine = writing(path);
    await machine.cli(["fire", "BeforeTool", "--trust-project"]);
    rmSync(join(machine.project, dirname(path)), { recursive: true });
    const { code } = await machine.cli(["replay", "--trust-project"]);
    expect({ code, written: machine.has(`project/${path}`) }).toEqual({ code: 0, written: false });
  });
});

describe("what a hook writes into an installed package during a test or a replay", () => {
  /** By what it is: the file that is written, and the file of the project that it is. */
  const WRITES: readonly [string, string, string][] = [
    ["a package", "node_modules/left/index.js", "node_modules/left/index.js"],
    ["a package of a scope", "node_modules/@scope/right/index.js", "node_modules/@scope/right/index.js"],
    ["a package inside a package", "node_modules/left/node_modules/in/i.js", "node_modules/left/node_modules/in/i.js"],
    ["a program that is a link", "node_modules/.bin/left", "node_modules/left/index.js"],
    ["a package that pnpm installed", "node_modules/up/up.js", "node_modules/.pnpm/up@1/node_modules/up/up.js"],
    ["a package of a workspace", "node_modules/b/dist/b.js", "packages/b/dist/b.js"],
    ["a package of a package of the workspace", "packages/b/node_modules/c/c.js", "packages/b/node_modules/c/c.js"],
    ["a file of the project that is a link to a package", "linked.js", "node_modules/left/index.js"],
  ];

  /** A project with packages, and a hook that appends to this file. */
  function appending(path: string): Machine {
    const files = WRITES.map(([, , file]) => [`project/${file}`, "old"] as const);
    const machine = new Machine({
      [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "w", command: `echo new >> ${path}`, onError: "block" }]),
      ...Object.fromEntries(files),
      "project/packages/b/b.txt": "",
      "project/.gitignore": "node_modules\ndist\n",
      "project/a.hooktest.yaml": tests({}),
    });
    const link = (to: string, from: string) => symlinkSync(to, join(machine.project, from));
    mkdirSync(join(machine.project, "node_modules/.bin"));
    link("../left/index.js", "node_modules/.bin/left");
    link(".pnpm/up@1/node_modules/up", "node_modules/up");
    link("../packages/b", "node_modules/b");
    link("node_modules/left/index.js", "linked.js");
    return machine;
  }

  test.each(WRITES)("does not reach the project: %s", async (_what, path, file) => {
    const machine = appending(path);
    const { code, stderr } = await machine.cli(RUN);
    expect({ code, stderr, text: machine.read(`project/${file}`) }).toEqual({ code: 0, stderr: "", text: "old" });
  });

  test("does not reach the project from a replay", async () => {
    const machine = appending("node_modules/left/index.js");
    await machine.cli(["fire", "BeforeTool", "--trust-project"]);
    const before = machine.read("project/node_modules/left/index.js");
    const { code } = await machine.cli(["replay", "--trust-project"]);
    expect({ code, text: machine.read("project/node_modules/left/index.js") }).toEqual({ code: 0, text: before });
  });

  test("is said to reach the project where the packages are too large to be copied", async () => {
    const machine = appending("node_modules/left/index.js");
    for (let n = 0; n <= 2_000; n += 1) writeFileSync(join(machine.project, `node_modules/left/${n}`), "");
    const { code, stderr } = await machine.cli(RUN);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr:
        "! the packages in node_modules, packages/b/node_modules are more than 2000 files or 50 MiB: the copy links to them, and a hook that writes into a package changes the original\n",
    });
  });

  test("is said to reach a package that lies outside of the project, and no link inside a package leads out", async () => {
    const machine = appending("node_modules/left/out/deep");
    machine.write({ "lib/index.js": "", "outside/deep": "old" });
    symlinkSync(join(machine.dir, "lib"), join(machine.project, "node_modules/lib"));
    symlinkSync(join(machine.dir, "outside"), join(machine.project, "node_modules/left/out"));
    const { code, stderr } = await machine.cli(RUN);
    expect({ code, stderr, text: machine.read("outside/deep") }).toEqual({
      code: 1,
      stderr:
        "! node_modules/left/out is a link to a target outside the project; the copy does not have it\n! node_modules/lib points outside the project and stays a link in the copy; a hook that writes there changes the original\n",
      text: "old",
    });
  });
});
