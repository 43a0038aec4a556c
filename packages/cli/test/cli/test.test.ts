import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { endOf, eventually, type Files, hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";

const PATIENCE_MS = 120_000;
const RUN = ["test", "--trust-project"];

const answer = (value: unknown) => `cat > /dev/null; echo '${JSON.stringify(value)}'`;
const GUARD = { name: "guard", command: "./hooks/guard.sh" };
/** Objects to a key, and writes a line for every run. */
const GUARD_SCRIPT = `#!/bin/sh
input=$(cat)
echo run >> runs.txt
case "$input" in *AKIA*) echo '{"decision":"deny","reason":"That is an AWS key"}' ;; esac
`;

/** A project with one guard, besides what a test brings. */
function guarded(files: Files): Machine {
  return new Machine({
    [PROJECT_FILE]: hooksOn("BeforeTool", [GUARD]),
    "project/hooks/guard.sh": GUARD_SCRIPT,
    ...files,
  });
}

/** A test file with one case on BeforeTool. */
function oneCase(expected: unknown, more: Files = {}): string {
  return JSON.stringify({ tests: [{ name: "it", event: "BeforeTool", ...more, expect: expected }] });
}

const withoutTimes = (text: string) => text.replace(/\d+(\.\d+)? m?s\b/g, "N ms");

/** Everything below the project, with what is in it. */
function treeOf(machine: Machine): Files {
  const entries = readdirSync(machine.project, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(file, "utf8")]));
}

describe("expectations", () => {
  const REWRITES = { name: "fix", command: answer({ hookSpecificOutput: { tool_input: { content: "clean\n" } } }) };
  const TELLS = {
    name: "tell",
    command: answer({ systemMessage: "Mind the gap", hookSpecificOutput: { additionalContext: "It is late" } }),
  };
  const WRITES = { name: "write", command: "cat > /dev/null; echo done > out.txt" };
  const ASKS = { name: "ask", command: answer({ decision: "ask", reason: "Sure?" }) };
  const STOPS = { name: "stop", command: answer({ continue: false, stopReason: "Enough" }) };
  const CRASHES = { name: "crash", command: "echo oh no >&2; exit 3" };
  const OFF = { name: "off", command: "true" };
  const LATE = { name: "late", command: `sleep 0.1; ${answer({ decision: "deny" })}`, blocking: false };
  const DENIES = {
    name: "deny",
    command: answer({
      hook_signals: [
        { kind: "ability_guard", code: "ABILITY_DENIED", severity: "error", payload: { reason: "No", n: 1 } },
      ],
    }),
  };
  const KEY = { tool_input: { content: "AKIA1" } };

  test.each<[string, string, readonly Files[], Files, Files, string]>([
    ["decision", "BeforeTool", [GUARD], { decision: "block" }, KEY, ""],
    ["decision", "BeforeTool", [GUARD], { decision: "allow" }, KEY, "- allow\n      + block"],
    ["decision", "BeforeTool", [ASKS], { decision: "ask" }, {}, ""],
    ["decision", "BeforeTool", [STOPS, GUARD], { decision: "stop" }, KEY, ""],
    ["decision", "BeforeTool", [STOPS, GUARD], { decision: "ask" }, KEY, "- ask\n      + block and stop"],
    ["reason", "BeforeTool", [GUARD], { reason: "AWS" }, KEY, ""],
    ["reason", "BeforeTool", [GUARD], { reason: "/^That is an? AWS key$/" }, KEY, ""],
    ["reason", "BeforeTool", [GUARD], { reason: "/^AWS/" }, KEY, "- /^AWS/\n      + That is an AWS key"],
    ["reason", "BeforeTool", [GUARD], { reason: "AWS" }, {}, "- AWS\n      + (nothing)"],
    ["rewrite", "BeforeTool", [REWRITES], { rewrite: { tool_input: { content: "clean\n" } } }, {}, ""],
    ["rewrite", "BeforeTool", [REWRITES], { rewrite: { "tool_input.file_path": "src/upload.ts" } }, {}, ""],
    [
      "rewrite.tool_input.content",
      "BeforeTool",
      [REWRITES],
      { rewrite: { "tool_input.content": "clean\nand more\n" } },
      {},
      "  clean\n      - and more",
    ],
    ["rewrite.tool_input.n", "BeforeTool", [GUARD], { rewrite: { "tool_input.n": 3 } }, {}, "- 3\n      + (nothing)"],
    ["context", "BeforeAgent", [TELLS], { context: "late" }, {}, ""],
    ["context", "BeforeAgent", [TELLS], { context: "early" }, {}, "- early\n      + It is late"],
    ["context", "BeforeAgent", [TELLS], { context: null }, {}, "- (nothing)\n      + It is late"],
    ["context", "BeforeTool", [REWRITES], { context: null, message: null, signals: [] }, {}, ""],
    ["message", "BeforeTool", [TELLS], { message: "/gap$/" }, {}, ""],
    ["message", "BeforeTool", [TELLS], { message: "/^gap/" }, {}, "- /^gap/\n      + Mind the gap"],
    ["signals", "PreAbilityCall", [DENIES], { signals: [{ code: "ABILITY_DENIED", payload: { n: 1 } }] }, {}, ""],
    ["signals", "PreAbilityCall", [DENIES], { signals: [] }, {}, "ABILITY_DENIED"],
    ["signals.0", "PreAbilityCall", [GUARD], { signals: [{ code: "X" }] }, {}, '"code": "X"'],
    ["files", "BeforeTool", [WRITES], { files: { "out.txt": "done", "none.txt": null } }, {}, ""],
    ["files.out.txt", "BeforeTool", [WRITES], { files: { "out.txt": "undone" } }, {}, "- undone\n      + done"],
    ["files.out.txt", "BeforeTool", [WRITES], { files: { "out.txt": null } }, {}, "- (nothing)\n      + done"],
    ["files.none.txt", "BeforeTool", [WRITES], { files: { "none.txt": "x" } }, {}, "- x\n      + (nothing)"],
    [
      "hooks",
      "BeforeTool",
      [GUARD, ASKS, STOPS, CRASHES, OFF, LATE, TELLS],
      {
        hooks: {
          guard: { outcome: "block", reason: "AWS" },
          ask: "ask",
          stop: { outcome: "stop", reason: "Enough" },
          crash: { outcome: "failed", reason: "/exited with code 3: oh no/" },
          off: { outcome: "skipped", reason: "hooksConfig.disabled" },
          late: "block",
          tell: "allow",
        },
      },
      KEY,
      "",
    ],
    ["hooks.guard", "BeforeTool", [GUARD], { hooks: { guard: "block" } }, {}, "- block\n      + allow"],
    ["hooks.guard", "SessionEnd", [GUARD], { hooks: { guard: "allow" } }, {}, ""],
    [
      "hooks.crash.reason",
      "BeforeTool",
      [CRASHES],
      { hooks: { crash: { outcome: "failed", reason: "code 4" } } },
      {},
      "- code 4\n      + exited with code 3: oh no",
    ],
  ])("%s on %s with %j: %j", async (field, event, hooks, expected, input, shown) => {
    const settings = { ...hooksOn(event, hooks), hooksConfig: { disabled: ["off"] } };
    const hooktest = JSON.stringify({ tests: [{ name: "it", event, input, expect: expected }] });
    const machine = guarded({ [PROJECT_FILE]: settings, "project/a.hooktest.yaml": hooktest });
    const { code, stdout } = await machine.run(RUN, { env: machine.env() });
    expect(stdout).toContain(shown === "" ? "✓ it  " : `    ${field} (`);
    expect(stdout).toContain(shown);
    expect(code).toBe(shown === "" ? 0 : 1);
  });

  test("a hook whose matcher does not hit is not run", async () => {
    const settings = hooksOn("BeforeTool", [GUARD], { matcher: "read_file" });
    const machine = guarded({
      [PROJECT_FILE]: settings,
      "project/a.hooktest.yaml": oneCase({ hooks: { guard: "not-run" } }),
    });
    expect(await machine.cli(RUN)).toMatchObject({ code: 0 });
    machine.write({ "project/a.hooktest.yaml": oneCase({ hooks: { guard: "allow" } }) });
    const { code, stdout } = await machine.cli(RUN);
    expect([code, stdout]).toEqual([1, expect.stringContaining("      - allow\n      + not-run\n    no hook ran\n")]);
  });
});

test("a run is shown file by file, with a diff, what the hooks did and the place of a case that failed", async () => {
  const machine = guarded({
    "project/tests/guard.hooktest.yaml": `tests:
  - name: a key is blocked
    event: BeforeTool
    input: { tool_input.content: AKIA1 }
    expect: { decision: block }
  - name: a text passes
    event: BeforeTool
    input: { tool_input.content: "AKIA2" }
    expect:
      decision: allow
      rewrite:
        tool_input.content: |
          one
          two
`,
    "project/more.hooktest.yaml": oneCase({ decision: "allow" }),
    "project/bad.hooktest.yaml": "tests: [{ name: x, evnt: BeforeTool, expect: {} }]",
  });
  const { code, stdout, stderr } = await machine.cli(RUN);
  expect({ code, stdout: withoutTimes(stdout), stderr }).toEqual({
    code: 1,
    stdout: `bad.hooktest.yaml
  ✗ bad.hooktest.yaml:1:9: "event" is missing.
  ✗ bad.hooktest.yaml:1:20: "evnt" is not a field of a test. Did you mean "event"?
  ✗ bad.hooktest.yaml:1:38: "expect" is empty; name at least one expectation.
    Fix the file at that place; \`docs/testing.md\` lists every field of a hook test.

more.hooktest.yaml
  ✓ it  N ms

tests/guard.hooktest.yaml
  ✓ a key is blocked  N ms
  ✗ a text passes  N ms
    at tests/guard.hooktest.yaml:6:5
    decision (- expected, + received)
      - allow
      + block
    rewrite.tool_input.content (- expected, + received)
      - one
      - two
      + AKIA2
    what the hooks did
      ✗  guard  N ms
          reason  That is an AWS key

✗ 1 failed, 1 file is wrong, 2 passed, in 3 files
`,
    stderr: "",
  });
});

test("--json is one object with everything in it", async () => {
  const machine = guarded({ "project/a.hooktest.yaml": oneCase({ decision: "block", files: { x: null } }) });
  const { code, stdout } = await machine.cli([...RUN, "--json"]);
  const where = { file: join(machine.project, "a.hooktest.yaml"), line: 1, column: 11 };
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 1,
    projectRoot: machine.project,
    passed: 0,
    failed: 1,
    wrong: 0,
    files: [
      {
        file: where.file,
        problems: [],
        tests: [
          {
            name: "it",
            event: "BeforeTool",
            where,
            passed: false,
            duration_ms: expect.any(Number),
            mismatches: [{ field: "decision", how: "equals", expected: "block", actual: "allow" }],
            hooks: [{ name: "guard", outcome: "allow", reason: null, duration_ms: expect.any(Number), notes: [] }],
          },
        ],
      },
    ],
    notices: [],
    problems: [],
  });
});

test("what a test file or a hook says cannot act on the terminal", async () => {
  const says = { name: "says", command: answer({ decision: "deny", reason: "\u001b[2J\u202e" }) };
  const machine = guarded({
    [PROJECT_FILE]: hooksOn("BeforeTool", [says]),
    "project/a.hooktest.yaml": JSON.stringify({
      tests: [{ name: "\u001b]0;x\u0007", event: "BeforeTool", expect: { reason: "\u001b[1m" } }],
    }),
  });
  const { stdout } = await machine.cli(RUN);
  expect(stdout.split("\n").filter((line) => /[\p{Cc}\u202e]/u.test(line))).toEqual([]);
  expect(stdout).toContain("- \\e[1m\n      + \\e[2J\\u202e");
});

describe("isolation", () => {
  test("cases of a file share what hooks wrote, files do not, and the project is as before", {
    timeout: PATIENCE_MS,
  }, async () => {
    const lines = (count: number) => ({ files: { "runs.txt": "run\n".repeat(count) } });
    const tests = [1, 2, 3].map((count) => ({ name: `${count} runs`, event: "BeforeTool", expect: lines(count) }));
    const first = {
      name: "begins anew",
      event: "BeforeTool",
      expect: { files: { "runs.txt": "run\n", "mine.txt": null } },
    };
    const written = { ...first, files: { "deep/mine.txt": "x" }, expect: { files: { "deep/mine.txt": "x" } } };
    const files = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f"].map((name) => [
        `project/${name}.hooktest.yaml`,
        JSON.stringify({ tests: [...tests, written] }),
      ]),
    );
    const machine = guarded(files);
    const before = treeOf(machine);
    const { code, stdout } = await machine.cli(RUN);
    expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 24 passed, in 6 files\n")]);
    expect(treeOf(machine)).toEqual(before);
  });

  test("hooks run in the copy, with the person's home and the variables of their case", async () => {
    const looks = { name: "look", command: "./hooks/look.sh", env: { LEVEL: "usual", KEPT: "yes" } };
    const machine = new Machine({
      [PROJECT_FILE]: hooksOn("BeforeAgent", [looks]),
      "project/hooks/look.sh": `#!/bin/sh
cat > input.json
[ "$PWD" = "$HOOKLINE_PROJECT_DIR" ] && [ "$PWD" != "$REAL" ] && echo "$HOME $LEVEL $KEPT"
`,
      "project/a.hooktest.yaml": JSON.stringify({
        tests: [
          { name: "usual", event: "BeforeAgent", expect: { message: "/home usual yes$/" } },
          { name: "own", event: "BeforeAgent", env: { LEVEL: "strict" }, expect: { message: "/home strict yes$/" } },
          {
            name: "usual again",
            event: "BeforeAgent",
            expect: { message: "/home usual yes$/", files: { "input.json": "/shop" } },
          },
        ],
      }).replace("/shop", "/project"),
    });
    const { code, stdout } = await machine.cli(RUN, { env: { REAL: machine.project } });
    expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 3 passed, in 1 file\n")]);
  });

  test("hooks of the person take no part", async () => {
    const machine = guarded({
      [USER_FILE]: {
        ...hooksOn("BeforeTool", [{ name: "mine", command: "touch mine; exit 2" }]),
        hooksConfig: { disabled: ["guard"] },
      },
      "project/a.hooktest.yaml": oneCase({ decision: "allow", hooks: { guard: "allow" } }),
    });
    expect((await machine.cli(RUN)).code).toBe(0);
    machine.write({ "project/a.hooktest.yaml": oneCase({ hooks: { mine: "block" } }) });
    expect((await machine.cli(RUN)).stdout).toContain('The project has no hook "mine".');
  });

  test("a hook that the person switched off is one that a test would start, so it needs trust", async () => {
    const machine = guarded({
      [USER_FILE]: { hooksConfig: { disabled: ["guard"] } },
      "project/a.hooktest.yaml": oneCase({ decision: "allow" }),
    });
    expect(await machine.cli(["fire", "BeforeTool"])).toMatchObject({ code: 0 });
    const { code, stderr } = await machine.cli(["test"]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("Run `hookline trust`")]);
  });

  test("a folder without hooks does not get those of the folders around it", async () => {
    const machine = new Machine({
      "outer/.hookline/settings.json": hooksOn("BeforeTool", [{ name: "theirs", command: "exit 2" }]),
      "outer/.hookline/extensions/.keep": "",
      "outer/bare/a.hooktest.yaml": oneCase({ decision: "allow" }),
    });
    const world = { cwd: join(machine.dir, "outer/bare"), homeDir: join(machine.dir, "outer"), env: machine.env() };
    for (const args of [["test"], ["test", "--in-place"]]) {
      expect((await machine.run(args, world)).stdout).toContain("✓ 1 passed, in 1 file\n");
    }
  });

  test("with `hooks` only those run", async () => {
    const blocks = { name: "blocks", command: "exit 2" };
    const text = (names: string[]) =>
      JSON.stringify({ hooks: names, tests: [{ name: "it", event: "BeforeTool", expect: { decision: "allow" } }] });
    const machine = guarded({
      [PROJECT_FILE]: hooksOn("BeforeTool", [GUARD, blocks]),
      "project/a.hooktest.yaml": text(["guard"]),
      "project/b.hooktest.yaml": text(["guard", "blocks"]),
    });
    expect((await machine.cli(RUN)).stdout).toContain("✗ 1 failed, 1 passed, in 2 files\n");
  });

  test("--in-place runs in the project itself, and says so", async () => {
    const machine = guarded({
      "project/a.hooktest.yaml": oneCase({ files: { "runs.txt": "run" } }, { files: { "made.txt": "by the test" } }),
    });
    const { code, stderr } = await machine.cli([...RUN, "--in-place"]);
    expect([code, stderr]).toEqual([
      0,
      "Running in the project itself: files that hooks and tests write remain there.\n",
    ]);
    expect([machine.read("project/runs.txt"), machine.read("project/made.txt")]).toEqual(["run\n", "by the test"]);
  });

  test("a link that leads out of the project is left out of the copy, and said once", async () => {
    const machine = guarded({
      "project/a.hooktest.yaml": oneCase({ decision: "allow" }),
      "project/b.hooktest.yaml": oneCase({ decision: "allow" }),
    });
    symlinkSync("/etc/hosts", join(machine.project, "hosts"));
    const { code, stderr } = await machine.cli(RUN);
    expect([code, stderr]).toEqual([
      0,
      "! hosts is a link to a target outside the project; the copy does not have it\n",
    ]);
  });

  test.runIf(hasProgram("git"))(
    "a hook that commits, run by a hook of git, commits nothing in the project",
    async () => {
      const commits = {
        name: "commit",
        command: "git -c user.name=t -c user.email=t@t commit -q --allow-empty -m two",
      };
      const machine = guarded({
        [PROJECT_FILE]: hooksOn("SessionEnd", [commits]),
        "project/a.hooktest.yaml": JSON.stringify({
          tests: [{ name: "it", event: "SessionEnd", expect: { hooks: { commit: "allow" } } }],
        }),
      });
      const git = (...args: string[]) => execFileSync("git", args, { cwd: machine.project, encoding: "utf8" });
      git("init", "-q");
      git("-c", "user.name=t", "-c", "user.email=t@t", "commit", "-q", "--allow-empty", "-m", "one");
      const env = { GIT_DIR: join(machine.project, ".git"), GIT_INDEX_FILE: join(machine.project, ".git/index") };
      const { code, stdout } = await machine.cli(RUN, { env });
      expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 1 passed")]);
      expect(git("rev-list", "--count", "--all")).toBe("1\n");
    },
  );
});

describe("a test starts no code that nobody trusted", () => {
  test("an untrusted project is refused before anything runs", async () => {
    const machine = guarded({ "project/a.hooktest.yaml": oneCase({ decision: "allow" }) });
    const refused = await machine.cli(["test"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("Run `hookline trust`")]);
    const no = await machine.run(["test"], { interactive: true, confirm: async () => false });
    expect([no.code, no.stderr]).toEqual([1, expect.stringContaining("are not trusted, so there is nothing to test")]);
    const yes = await machine.run(["test"], { interactive: true, confirm: async () => true });
    expect(yes.code).toBe(0);
    expect((await machine.cli(["test"])).code).toBe(0);
    machine.write({ "project/hooks/guard.sh": `${GUARD_SCRIPT}# changed\n` });
    expect((await machine.cli(["test"])).code).toBe(1);
  });

  test.each(["hooks/guard.sh", "hooks/./guard.sh", ".hookline/settings.json", ".system/hooks/new.yaml"])(
    "it cannot write %s",
    async (path) => {
      const machine = guarded({
        "project/a.hooktest.yaml": oneCase({ decision: "allow" }, { files: { [path]: "#!/bin/sh\nexit 2\n" } }),
      });
      const { code, stdout } = await machine.cli(RUN);
      expect([code, stdout]).toEqual([
        1,
        expect.stringContaining(`"${path}" declares or runs hooks; a test cannot write it.`),
      ]);
    },
  );

  test("a program that a hook changed during a test is not started again", async () => {
    const changes = { type: "command", name: "change", command: "echo 'exit 2' > hooks/guard.sh", timeout: "10s" };
    const guard = { type: "command", ...GUARD, timeout: "10s" };
    const machine = guarded({
      [PROJECT_FILE]: { hooks: { BeforeAgent: [{ hooks: [changes] }], BeforeTool: [{ hooks: [guard] }] } },
      "project/a.hooktest.yaml": JSON.stringify({
        tests: [
          { name: "changes", event: "BeforeAgent", expect: { decision: "allow" } },
          {
            name: "is blocked",
            event: "BeforeTool",
            env: { A: "b" },
            expect: { reason: "was changed after it was trusted" },
          },
        ],
      }),
    });
    const { code, stdout } = await machine.cli(RUN);
    expect([code, stdout]).toEqual([0, expect.stringContaining("✓ 2 passed")]);
  });
});

describe("bad input", () => {
  test.each([
    [
      "hooks: [gaurd]\ntests: [{ name: a, event: BeforeTool, expect: { decision: allow } }]",
      'a.hooktest.yaml:1:9: The project has no hook "gaurd". Did you mean "guard"?',
    ],
    [
      "tests: [{ name: a, event: BeforeTool, expect: { hooks: { gard: block } } }]",
      ':1:58: The project has no hook "gard". Did you mean "guard"?',
    ],
    [
      "hooks: [gaurd]\ntests: [{ name: a, event: BeforeTool, expect: { hooks: { guart: block } } }]",
      ':2:58: The project has no hook "guart". Did you mean "guard"?',
    ],
    [
      "tests: [{ name: a, event: BeforeTool, input: { tool_nam: b }, expect: { decision: allow } }]",
      ':1:48: "tool_nam" is not a field of BeforeTool. Did you mean "tool_name"?',
    ],
    [
      "hooks: [other]\ntests: [{ name: a, event: BeforeTool, expect: { hooks: { guard: block } } }]",
      ':2:58: "guard" is not in the `hooks` list of this file.',
    ],
    [
      "tests: [{ name: a, event: BeforTool, expect: { decision: allow } }]",
      '"event" cannot be "BeforTool". Did you mean "BeforeTool"?',
    ],
    ["tests: [{ name: a, event: BeforeTool, expect: { reason: /(/ } }]", "is not a regular expression"],
    ["tests: [", "This is not YAML"],
  ])("%j is said with its place, and the other files still run", async (text, what) => {
    const machine = guarded({
      [PROJECT_FILE]: hooksOn("BeforeTool", [GUARD, { name: "other", command: "true" }]),
      "project/a.hooktest.yaml": text,
      "project/b.hooktest.yaml": oneCase({ decision: "allow" }),
    });
    const { code, stdout } = await machine.cli(RUN);
    expect([code, stdout]).toEqual([1, expect.stringContaining(what)]);
    expect(stdout).toContain("✗ 1 file is wrong, 1 passed, in 2 files\n");
  });

  test("a path that does not exist, and a project without tests", async () => {
    const machine = guarded({});
    expect(await machine.cli([...RUN, "nowhere"])).toMatchObject({
      code: 1,
      stderr: `✗ ${machine.project}/nowhere: There is no such file.\n  Correct the path, or leave it out to run every test of the project.\n`,
    });
    expect(await machine.cli(RUN)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("There are no *.hooktest.yaml files here.\n"),
    });
    expect(JSON.parse((await machine.cli([...RUN, "--json"])).stdout).error.code).toBe("HOOKTEST_INVALID");
  });

  test("settings that keep a hook from running are said", async () => {
    const machine = guarded({
      [PROJECT_FILE]: { hooks: { BeforeTol: [] } },
      "project/a.hooktest.yaml": oneCase({ decision: "allow" }),
    });
    expect((await machine.cli(RUN)).stderr).toContain('"BeforeTol" is not an event; its hooks do not run.');
    expect(JSON.parse((await machine.cli([...RUN, "--json"])).stdout).problems).toMatchObject([
      { code: "EVENT_UNKNOWN" },
    ]);
  });

  test("a file that cannot be written is a failure of its case", async () => {
    const machine = guarded({ "project/a.hooktest.yaml": oneCase({ decision: "allow" }, { files: { hooks: "x" } }) });
    expect((await machine.cli(RUN)).stdout).toContain("    files.hooks: is not a regular file");
  });
});

test("which files are run: those named, those in named folders, and without a name all of the project", async () => {
  const passes = oneCase({ decision: "allow" });
  const machine = guarded({
    "project/a.hooktest.yaml": passes,
    "project/.system/tests/b.hooktest.yaml": passes,
    "project/src/c.hooktest.yaml": passes,
    "project/src/odd.yaml": passes,
    "project/node_modules/x/d.hooktest.yaml": passes,
    "project/.cache/e.hooktest.yaml": passes,
    "project/examples/shop/.hookline/settings.json": {},
    "project/examples/shop/f.hooktest.yaml": passes,
  });
  const filesOf = async (...args: string[]) => {
    const { stdout, stderr } = await machine.cli([...RUN, ...args]);
    return [stdout.split("\n").filter((line) => line.endsWith(".yaml")), stderr];
  };
  expect(await filesOf()).toEqual([
    [".system/tests/b.hooktest.yaml", "a.hooktest.yaml", "src/c.hooktest.yaml"],
    "! examples/shop is a separate project; run `hookline test` there for its tests\n",
  ]);
  expect(await filesOf("src", "src/odd.yaml")).toEqual([["src/c.hooktest.yaml", "src/odd.yaml"], ""]);
});

test("tests of another project are refused with its name, whether it is elsewhere, inside or around", async () => {
  const passes = oneCase({ decision: "allow" });
  const machine = guarded({
    "project/a.hooktest.yaml": passes,
    "project/inner/.hookline/settings.json": {},
    "project/inner/tests/b.hooktest.yaml": passes,
    "other/.system/hooks/h.yaml": "",
    "other/t/c.hooktest.yaml": passes,
    "nobody/d.hooktest.yaml": passes,
    "home/.hookline/settings.json": {},
    "home/e.hooktest.yaml": passes,
  });
  symlinkSync(join(machine.dir, "other/t"), join(machine.project, "link"));
  const refusal = async (path: string, cwd?: string) => {
    const { code, stdout, stderr } = await machine.cli([...RUN, path], cwd === undefined ? {} : { cwd });
    expect([code, stdout]).toEqual([1, ""]);
    return stderr.split("\n")[0]?.replaceAll(machine.dir, "");
  };
  const belongsTo = (project: string) => `This belongs to ${project}; run \`hookline test\` there.`;
  expect(await refusal("../other/t/c.hooktest.yaml")).toBe(`✗ /other/t/c.hooktest.yaml: ${belongsTo("/other")}`);
  expect(await refusal("../other")).toBe(`✗ /other: ${belongsTo("/other")}`);
  expect(await refusal("link")).toBe(`✗ /project/link: ${belongsTo("/other")}`);
  expect(await refusal("inner/tests")).toBe(`✗ /project/inner/tests: ${belongsTo("/project/inner")}`);
  expect(await refusal("../project", "nobody")).toBe(`✗ /project: ${belongsTo("/project")}`);
  expect(await refusal("..")).toBe("✗ : This is not in a project.");
  expect(await refusal("../home/e.hooktest.yaml")).toBe("✗ /home/e.hooktest.yaml: This is not in a project.");
  expect((await machine.cli([...RUN, "d.hooktest.yaml"], { cwd: "nobody" })).stdout).toContain("✓ it  ");
});

test("many notices are told in few lines, and all by --json", async () => {
  const machine = guarded({ "project/a.hooktest.yaml": oneCase({ decision: "allow" }) });
  for (let count = 1; count <= 8; count += 1) symlinkSync("/etc/hosts", join(machine.project, `link${count}`));
  const lines = (await machine.cli(RUN)).stderr.trimEnd().split("\n");
  expect([lines.length, lines.at(-1)]).toEqual([6, "! and 3 more; --json lists all of them"]);
  expect(JSON.parse((await machine.cli([...RUN, "--json"])).stdout).notices).toHaveLength(8);
});

test("a hook that settings name by its absolute place runs from the copy, and no test can write it", async () => {
  const machine = guarded({});
  const { project } = machine;
  const hooks = [
    { name: "guard", command: join(project, "hooks/guard.sh") },
    { name: "writes", command: "cat > /dev/null; echo done > $OUT", env: { OUT: join(project, "out.txt") } },
  ];
  machine.write({
    [PROJECT_FILE]: hooksOn("BeforeTool", hooks),
    "project/hooks/guard.sh": '#!/bin/sh\necho "$0" >&2; exit 2\n',
    "project/a.hooktest.yaml": oneCase({ reason: "hookline-copy-", files: { "out.txt": "done" } }),
    "project/b.hooktest.yaml": oneCase({ decision: "allow" }, { files: { "hooks/guard.sh": "#!/bin/sh\n" } }),
  });
  const { stdout } = await machine.cli(RUN);
  expect(stdout).toContain("✓ it  ");
  expect(stdout).toContain('"hooks/guard.sh" declares or runs hooks; a test cannot write it.');
  expect(machine.has("project/out.txt")).toBe(false);
});

test.each([
  ["waited for", {}],
  ["in the background", { blocking: false }],
])(
  "Ctrl-C ends a hook that is %s, and leaves no copy behind",
  async (_, more) => {
    const sleeps = { name: "sleeps", command: 'pwd > "$MARK"; sleep 60 & wait', timeout: "60s", ...more };
    const machine = guarded({
      [PROJECT_FILE]: hooksOn("BeforeTool", [sleeps]),
      "project/a.hooktest.yaml": oneCase({ decision: "allow" }),
      "project/b.hooktest.yaml": oneCase({ decision: "allow" }),
      "tmp/.keep": "",
    });
    const env = { MARK: join(machine.dir, "mark"), TMPDIR: join(machine.dir, "tmp") };
    const child = machine.start(RUN, { env });
    const ended = endOf(child);
    await eventually(() => machine.has("mark") && machine.read("mark").endsWith("\n"), 60_000);
    expect(machine.read("mark")).toContain("hookline-copy-");
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(readdirSync(join(machine.dir, "tmp"))).toEqual([".keep"]);
  },
  PATIENCE_MS,
);

test(
  "Ctrl-C while the settings of a copy are read leaves no copy behind",
  async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({ name: `hook ${index}`, command: "true" }));
    const sleeps = { name: "sleeps", command: "sleep 60 & wait", timeout: "60s" };
    const hooks = [hooksOn("SessionEnd", many), hooksOn("BeforeTool", [sleeps])].map((settings) => settings.hooks);
    const machine = guarded({
      [PROJECT_FILE]: { hooks: Object.assign({}, ...hooks) },
      "project/a.hooktest.yaml": oneCase({ decision: "allow" }),
      "tmp/.keep": "",
    });
    const tmp = join(machine.dir, "tmp");
    const child = machine.start(RUN, { env: { TMPDIR: tmp } });
    const ended = endOf(child);
    const { size } = statSync(join(machine.dir, PROJECT_FILE));
    const isCopied = (file: string) =>
      file.endsWith("settings.json") && statSync(join(tmp, file), { throwIfNoEntry: false })?.size === size;
    await eventually(() => readdirSync(tmp, { encoding: "utf8", recursive: true }).some(isCopied), 60_000);
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
    expect(readdirSync(tmp)).toEqual([".keep"]);
  },
  PATIENCE_MS,
);
