import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allEvents, type NamedEvent } from "../../src/project/eventNamed.ts";
import { exampleAnswer } from "../../src/scaffold/exampleAnswer.ts";
import { hookProgram } from "../../src/scaffold/hookProgram.ts";
import { LANGUAGE_SPECS, LANGUAGES } from "../../src/scaffold/languages.ts";
import { BINARY, type Ended, Machine, PROJECT_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { TestTerminal } from "../support/terminal.ts";

const PATIENCE_MS = 240_000;
const LANGUAGES_HERE = LANGUAGES.filter((language) => language !== "python" || hasProgram("python3"));

/** What a program says about the part that is to be replaced. */
const YOUR_PART = /Your (rule|answer|work) goes here\. .*/;

/**
 * Each event, and each language at least once for each kind of answer. The other pairs would show nothing new: what a program does depends
 * on its language and on the answer that is written into it, and the rest is comments, which a test compares for all pairs.
 */
function eventsWithLanguages() {
  const events = allEvents();
  return events.map((event) => {
    const family = events.filter((other) => kindOfAnswer(other) === kindOfAnswer(event));
    const nth = family.indexOf(event);
    const isFor = (index: number) => index % family.length === nth || nth % LANGUAGES_HERE.length === index;
    return { event, languages: LANGUAGES_HERE.filter((_, index) => isFor(index)) };
  });
}

function kindOfAnswer({ spec }: NamedEvent): string {
  const { when, value } = exampleAnswer("a", spec);
  return [when, ...Object.keys(value)].join(" ");
}

/** Everything below the project's folder, but for git's. */
function filesOf(machine: Machine): string[] {
  const entries = readdirSync(machine.project, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(machine.project.length + 1))
    .sort();
}

/** A written test, as a person runs it. */
function runTest(machine: Machine, path: string): { readonly code: number | null; readonly output: string } {
  // The script splits the variable into words, and the repository may lie under a path with spaces.
  machine.write({ "hookline.sh": `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n` });
  const env = machine.env({ HOOKLINE: join(machine.dir, "hookline.sh") });
  const { status, stdout, stderr } = spawnSync("sh", [path], { cwd: machine.project, env, encoding: "utf8" });
  return { code: status, output: stdout + stderr };
}

/** What `hookline test` says of all that was written. */
async function passedTests(machine: Machine): Promise<unknown> {
  const { code, stdout } = await machine.run(["test", "--trust-project", "--json"], { env: machine.env() });
  const { passed, failed, wrong } = JSON.parse(stdout);
  return { code, passed, failed, wrong };
}

const fine = (ended: Ended) => expect(ended).toMatchObject({ code: 0, stderr: "" });

describe("new hook", () => {
  test.each(eventsWithLanguages())(
    "on $event.name writes hooks ($languages) that are valid, run, and have tests that pass",
    async ({ event: { name, spec }, languages }) => {
      const machine = new Machine();
      const world = { env: machine.env() };
      for (const language of languages) {
        const args = ["--event", name, "--id", `a-${language}`, "--language", language];
        fine(await machine.run(["new", "hook", ...args], world));
        expect(runTest(machine, `scripts/hooks/a-${language}.test.sh`)).toMatchObject({ code: 0 });
      }
      fine(await machine.run(["validate", "--strict"], world));
      const { code, stdout } = await machine.run(["fire", name, "--trust-project", "--json"], world);
      const fired = JSON.parse(stdout);
      expect({ code, decision: fired.decision, success: fired.success, problems: fired.problems }).toEqual({
        code: 0,
        decision: "allow",
        success: true,
        problems: [],
      });
      const hooks: { name: string; outcome: string; notes: string[] }[] = fired.hooks;
      expect(hooks.map((hook) => [hook.name, hook.notes]).sort()).toEqual(
        languages.map((language) => [`a-${language}`, []]).sort(),
      );
      expect(hooks.filter(({ outcome }) => outcome === "failed")).toEqual([]);
      expect(await passedTests(machine)).toEqual({ code: 0, passed: expect.any(Number), failed: 0, wrong: 0 });
      for (const language of languages) {
        const program = machine.read(`project/scripts/hooks/a-${language}.${LANGUAGE_SPECS[language].extension}`);
        for (const field of Object.keys(spec.input.shape)) {
          expect(program).toMatch(new RegExp(`^(#|//)   ${field}\\??: `, "m"));
        }
      }
    },
    PATIENCE_MS,
  );

  test.each(allEvents())("on $name writes the same comments in every language", (event) => {
    const texts = LANGUAGES.map((language) => {
      const program = hookProgram({ id: "guard", event, language, worker: false });
      const { shebang, comment } = LANGUAGE_SPECS[language];
      const [first, ...lines] = program.split("\n");
      expect(first).toBe(shebang);
      const notes = lines.slice(0, lines.indexOf("")).map((line) => line.slice(comment.length));
      return { notes, rule: YOUR_PART.exec(program)?.[0] };
    });
    expect(texts).toEqual(texts.map(() => texts[0]));
    expect(texts[0]?.notes.length).toBeGreaterThan(5);
    expect(texts[0]?.rule).toEqual(expect.any(String));
  });

  const blocking = allEvents().filter(({ spec }) => "block" in spec.may);

  test.each(blocking)(
    "on $name writes a rule whose objection takes effect",
    async ({ name, spec }) => {
      const machine = new Machine();
      await machine.run(["new", "hook", "--event", name, "--id", "guard"]);
      const marked = /^marked\(\) \{\n.*\n(.*)$/m.exec(machine.read("project/scripts/hooks/guard.test.sh"))?.[1] ?? "";
      const own = Object.entries(JSON.parse(marked)).filter(([field]) => field in spec.input.shape);
      const stdin = JSON.stringify(Object.fromEntries(own));
      const { code, stdout } = await machine.run(["fire", name, "--trust-project", "--json", "--input", "-"], {
        env: machine.env(),
        readStdin: async () => stdin,
      });
      expect({ code, reason: JSON.parse(stdout).reason }).toEqual({
        code: 2,
        reason: "guard: the input contains do-not-pass",
      });
    },
    PATIENCE_MS,
  );

  test.each(LANGUAGES_HERE)(
    "with --worker writes a process that is kept, in %s",
    async (language) => {
      const machine = new Machine();
      const args = ["--event", "PreAbilityCall", "--id", "warm", "--language", language, "--worker"];
      fine(await machine.cli(["new", "hook", ...args]));
      expect(runTest(machine, "scripts/hooks/warm.test.sh").code).toBe(0);
      fine(await machine.cli(["validate", "--strict"]));
      const fire = ["fire", "PreAbilityCall", "--trust-project"];
      fine(await machine.cli(fire));
      const denied = await machine.cli([...fire, "args_summary=do-not-pass"]);
      expect(denied).toMatchObject({
        code: 2,
        stdout: expect.stringContaining("warm: the input contains do-not-pass"),
      });
      expect(await passedTests(machine)).toEqual({ code: 0, passed: 2, failed: 0, wrong: 0 });
    },
    PATIENCE_MS,
  );

  test.each([
    ["BeforeTool", ["--matcher", "^(read_file|replace)$"], "      tool_name: read_file\n", 2],
    ["BeforeTool", ["--matcher", "mcp__[a-z]+__.*"], "  - name: the hook does not run for write_file\n", 1],
    ["SessionEnd", ["--matcher", "logout"], "      reason: logout\n", 1],
    ["PreAbilityCall", ["--ability-scope", "db.*,deploy"], "      ability_id: deploy\n", 2],
  ])("on %s with %j writes tests of what it is for", async (event, args, text, passed) => {
    const machine = new Machine();
    fine(await machine.cli(["new", "hook", "--event", event, "--id", "guard", ...args]));
    expect(machine.read("project/scripts/hooks/guard.hooktest.yaml")).toContain(text);
    expect(await passedTests(machine)).toEqual({ code: 0, passed, failed: 0, wrong: 0 });
  });

  test("says what was written and what to do next", async () => {
    const machine = new Machine();
    const { code, stdout } = await machine.cli(["new", "hook", "--event", "BeforeTool", "--id", "no-secrets"]);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `✓ .system/schemas/hook.schema.json
✓ .system/schemas/hooktest.schema.json
✓ scripts/hooks/no-secrets.sh
✓ scripts/hooks/no-secrets.test.sh
✓ scripts/hooks/no-secrets.hooktest.yaml
✓ .system/hooks/no-secrets.yaml

Next, in the project's folder
  edit scripts/hooks/no-secrets.sh     replace the example with your own code
  sh scripts/hooks/no-secrets.test.sh  test its program alone
  hookline validate                    check its declaration
  hookline trust                       review what it starts, and allow it
  hookline test                        test it as hookline runs it
  hookline fire BeforeTool             run it together with the other hooks
`,
    });
    expect(filesOf(machine)).toHaveLength(6);
    expect(machine.read("project/scripts/hooks/no-secrets.hooktest.yaml")).toBe(
      `# yaml-language-server: $schema=../../.system/schemas/hooktest.schema.json
# Tests of no-secrets as hookline runs it: hookline test
hooks: [no-secrets]
tests:
  - name: the sample passes
    event: BeforeTool
    expect:
      decision: allow
      hooks:
        no-secrets: allow
  - name: the hook objects to what its rule looks for
    event: BeforeTool
    input:
      tool_input.file_path: do-not-pass
    expect:
      decision: block
      reason: "no-secrets: the input contains do-not-pass"
      hooks:
        no-secrets: block
`,
    );
    for (const file of ["no-secrets.sh", "no-secrets.test.sh"]) {
      expect(lstatSync(join(machine.project, "scripts/hooks", file)).mode & 0o111).not.toBe(0);
    }
    expect(JSON.parse(machine.read("project/.system/schemas/hook.schema.json"))).toHaveProperty(
      "properties.event_type",
    );
  });

  test("with --json lists the files, and leaves a schema alone that is there", async () => {
    const machine = new Machine({ "project/.system/schemas/hook.schema.json": "mine" });
    const args = ["new", "hook", "--event", "PreAbilityCall", "--id", "guard", "--ability-scope", "edit_file, mcp_*"];
    const { code, stdout } = await machine.cli([...args, "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      projectRoot: machine.project,
      files: [
        ".system/schemas/hooktest.schema.json",
        "scripts/hooks/guard.sh",
        "scripts/hooks/guard.test.sh",
        "scripts/hooks/guard.hooktest.yaml",
        ".system/hooks/guard.yaml",
      ],
      warnings: [],
    });
    expect(machine.read("project/.system/schemas/hook.schema.json")).toBe("mine");
    expect(machine.read("project/.system/hooks/guard.yaml")).toContain('  ability_scope: [edit_file, "mcp_*"]\n');
  });

  test("writes a matcher and a summary so that they mean what was typed", async () => {
    const machine = new Machine();
    const [matcher, summary] = [".inf|^(write_file|replace)$", `#1: "no" 'secrets'\n\u0085- {here}`];
    const args = ["--event", "BeforeTool", "--id", "guard", "--matcher", matcher, "--summary", summary];
    fine(await machine.cli(["new", "hook", ...args]));
    const { stdout } = await machine.cli(["list", "--json"]);
    const [listed] = JSON.parse(stdout).hooks;
    expect(listed).toMatchObject({ id: "guard", event_type: "BeforeTool", matcher });
    expect(machine.read("project/.system/hooks/guard.yaml")).toContain(
      `summary: "#1: \\"no\\" 'secrets'\\n\\u0085- {here}"\n`,
    );
    fine(await machine.cli(["validate", "--strict"]));
  });

  test("goes to the project's root from a folder below it", async () => {
    const machine = new Machine({ "project/src/deep/a.txt": "" });
    const { stdout } = await machine.cli(["new", "hook", "--event", "SessionEnd", "--id", "bye"], {
      cwd: "project/src/deep",
    });
    expect(stdout).toContain("✓ ../../.system/hooks/bye.yaml\n");
    expect(machine.has("project/scripts/hooks/bye.sh")).toBe(true);
  });

  test("tells of a missing python3, and writes the files", async () => {
    const machine = new Machine();
    const args = ["new", "hook", "--event", "BeforeTool", "--id", "snake", "--language", "python"];
    const ended = await machine.cli(args, { env: { PATH: "/nowhere" } });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('! "python3" is not in PATH.\n') });
    expect(machine.has("project/scripts/hooks/snake.py")).toBe(true);
  });

  test("several at once do not get in each other's way", async () => {
    const machine = new Machine();
    const ids = ["a", "b", "c", "d"];
    const ended = await Promise.all(
      ids.map((id) => machine.cli(["new", "hook", "--event", "BeforeAgent", "--id", id])),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(filesOf(machine)).toHaveLength(2 + 4 * ids.length);
  });
});

describe("new ability", () => {
  test.each(LANGUAGES_HERE)(
    "writes a program in %s that is valid, runs, and has a test that passes",
    async (language) => {
      const machine = new Machine();
      fine(await machine.cli(["new", "ability", "--id", "greet", "--language", language]));
      expect(runTest(machine, "scripts/abilities/greet.test.sh")).toEqual({
        code: 0,
        output: "ok: the example is returned\n",
      });
      fine(await machine.cli(["validate", "--strict"]));
      const run = ["ability", "run", "greet", "--trust-project", "--json", "--input"];
      const { code, stdout } = await machine.cli([...run, '{"name":"Zoë \\"x\\""}']);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({
        code: 0,
        status: "success",
        output: { received: { name: 'Zoë "x"' } },
        changed_files: [],
      });
      expect(await machine.cli([...run, '{"nam":1}'])).toMatchObject({ code: 1 });
    },
    PATIENCE_MS,
  );

  test.each([
    [["--kind", "http", "--url", "https://ci.example.com/deploy?a=1"], {}],
    [["--kind", "mcp", "--server", "ci", "--tool", "deploy"], { mcpServers: { ci: { command: "node" } } }],
  ])("%j writes a declaration and a test that passes", async (args, settings) => {
    const machine = new Machine({ [PROJECT_FILE]: settings });
    fine(await machine.cli(["new", "ability", "--id", "deploy", ...args]));
    fine(await machine.cli(["validate", "--strict"]));
    expect(runTest(machine, "scripts/abilities/deploy.test.sh").code).toBe(0);
    const written = [".system/abilities/deploy.yaml", ".system/schemas/ability.schema.json"];
    expect(filesOf(machine)).toEqual([".hookline/settings.json", ...written, "scripts/abilities/deploy.test.sh"]);
  });

  test("warns of a server that nobody declared", async () => {
    const args = ["new", "ability", "--id", "deploy", "--kind", "mcp", "--server", "ci", "--tool", "deploy", "--json"];
    const { code, stdout } = await new Machine().cli(args);
    expect([code, JSON.parse(stdout).warnings]).toEqual([
      0,
      [{ what: expect.stringContaining('no MCP server "ci"'), next: expect.any(String) }],
    ]);
  });
});

describe("nothing is written", () => {
  const HOOK = ["new", "hook", "--event", "BeforeTool", "--id", "guard"];
  const ABILITY = ["new", "ability", "--id", "deploy"];

  test.each([
    [["new", "hook"], "--event is missing, and there is no terminal to ask for it."],
    [["new", "hook", "--event", "BeforeTool"], "--id is missing, and there is no terminal to ask for it."],
    [["new", "ability"], "--id is missing, and there is no terminal to ask for it."],
    [[...ABILITY, "--kind", "http"], "--url is missing, and there is no terminal to ask for it."],
    [[...ABILITY, "--kind", "mcp", "--server", "ci"], "--tool is missing, and there is no terminal to ask for it."],
    [["new", "hook", "--event", "BeforTool", "--id", "x"], 'There is no event "BeforTool". Did you mean "BeforeTool"?'],
    [[...HOOK, "--langage", "sh"], "Did you mean --language?"],
    [[...HOOK, "--language", "pyhton"], 'Did you mean "python"?'],
    [[...ABILITY, "--kind", "scirpt"], 'Did you mean "script"?'],
    [["new", "hok"], "Did you mean hook?"],
    [["new", "hook", "--event", "BeforeTool", "--id", "../../x"], '--id is "../../x"'],
    [["new", "hook", "--event", "BeforeTool", "--id", "No Secrets"], '--id is "No Secrets"'],
    [[...HOOK, "--matcher", "("], "not a valid regular expression"],
    [[...HOOK, "--ability-scope", "*"], "BeforeTool does not accept --ability-scope."],
    [["new", "hook", "--event", "PreAbilityCall", "--id", "x", "--matcher", "a"], "Pass --ability-scope."],
    [["new", "hook", "--event", "PreAbilityCall", "--id", "x", "--ability-scope", "a,,b"], "globs is empty"],
    [
      ["new", "hook", "--event", "SessionStop", "--id", "x", "--matcher", "a"],
      "SessionStop does not accept --matcher.",
    ],
    [["new", "hook", "--event", "SessionStart", "--id", "x", "--worker"], "Omit --worker."],
    [[...ABILITY, "--url", "https://example.com"], "An ability of kind script does not accept --url."],
    [[...ABILITY, "--kind", "http", "--url", "http://example.com"], "neither https nor on this machine"],
    [["new", "ability", "--id", "edit_file"], "is another name of the tool replace"],
  ])("%j is answered with %j", async (args, text) => {
    const machine = new Machine();
    const { code, stdout, stderr } = await machine.run(args, { env: machine.env() });
    expect({ code, stdout, files: filesOf(machine) }).toEqual({ code: 1, stdout: "", files: [] });
    expect(stderr).toContain(text);
    expect(readdirSync(machine.project)).toEqual([".git"]);
  });

  const WRITTEN = ["guard.sh", "guard.test.sh", "guard.hooktest.yaml"].map((name) => `scripts/hooks/${name}`);

  test.each([...WRITTEN, ".system/hooks/guard.yaml"])("where %s exists", async (path) => {
    const machine = new Machine({ [`project/${path}`]: "mine" });
    const { code, stderr } = await machine.cli(HOOK);
    expect({ code, stderr, files: filesOf(machine), text: machine.read(`project/${path}`) }).toEqual({
      code: 1,
      stderr: `✗ ${machine.project}/${path}: The file already exists; nothing was written.\n  Choose another --id, or move that file away.\n`,
      files: [path],
      text: "mine",
    });
  });

  test("where all of them exist, which are named", async () => {
    const machine = new Machine();
    fine(await machine.cli(ABILITY));
    const before = filesOf(machine);
    const { code, stdout } = await machine.cli([...ABILITY, "--json"]);
    const { code: kind, what } = JSON.parse(stdout).error;
    expect({ code, kind, files: filesOf(machine) }).toEqual({ code: 1, kind: "FILE_UNUSABLE", files: before });
    for (const file of ["deploy.test.sh", "deploy.yaml"]) expect(what).toContain(file);
  });

  test.each([
    [
      "hook",
      { [PROJECT_FILE]: { hooks: { BeforeTool: [{ hooks: [{ type: "command", name: "taken", command: "true" }] }] } } },
    ],
    [
      "ability",
      {
        "project/.system/abilities/other.yaml":
          "id: other\nsummary: s\noperation_keys: [taken]\nimplementation: { kind: script, command: 'true' }\n",
      },
    ],
  ])("where another file declares that name for another %s", async (kind, files) => {
    const machine = new Machine(files);
    const before = filesOf(machine);
    const args = kind === "hook" ? ["--event", "BeforeTool"] : [];
    const { code, stderr } = await machine.cli(["new", kind, ...args, "--id", "taken"]);
    expect({ code, files: filesOf(machine) }).toEqual({ code: 1, files: before });
    expect(stderr).toContain('"taken" is already declared');
  });

  test("when a write fails half-way, what was written before is taken back", async () => {
    const machine = new Machine({ "project/scripts": "a file, and no folder" });
    const { code, stderr } = await machine.cli(HOOK);
    expect({ code, left: readdirSync(machine.project).sort() }).toEqual({ code: 1, left: [".git", "scripts"] });
    expect(stderr).toMatch(/The file cannot be written: .*\. Nothing was written\./);
  });

  test("where a link in the repository leads out of it", async () => {
    const machine = new Machine();
    const home = readdirSync(machine.home);
    mkdirSync(join(machine.project, "scripts"));
    symlinkSync(machine.home, join(machine.project, "scripts/hooks"));
    const { code, stderr } = await machine.cli(HOOK);
    expect({ code, left: readdirSync(machine.project).sort(), home: readdirSync(machine.home) }).toEqual({
      code: 1,
      left: [".git", "scripts"],
      home,
    });
    expect(stderr).toContain(`leads out of the project, to ${machine.home}`);
  });
});

describe.skipIf(!hasProgram("tmux"))("at a terminal", () => {
  test(
    "new hook asks for what no flag says",
    async () => {
      const machine = new Machine();
      const terminal = new TestTerminal(machine, "new hook");
      await terminal.shows("On which event does it run?");
      terminal.keys("Enter");
      await terminal.shows("What is its name?");
      terminal.type("Hello");
      terminal.keys("Enter");
      await terminal.shows("Write lower-case words");
      terminal.keys("BSpace", "BSpace", "BSpace", "BSpace", "BSpace");
      terminal.type("hello");
      terminal.keys("Enter");
      await terminal.shows("In which language?");
      terminal.keys("Down", "Down", "Enter");
      await terminal.shows("For which values of source?");
      terminal.type("startup|resume");
      terminal.keys("Enter");
      await terminal.shows("What is it for?");
      terminal.keys("Enter");
      await terminal.shows("exit code 0");
      expect(machine.read("project/.system/hooks/hello.yaml")).toContain('  subject: "startup|resume"\n');
      expect(machine.read("project/.system/hooks/hello.yaml")).toContain("summary: Describe here what hello is for.\n");
      expect(machine.has("project/scripts/hooks/hello.mjs")).toBe(true);
      fine(await machine.cli(["validate", "--strict"]));
    },
    PATIENCE_MS,
  );

  test(
    "new ability asks for what its kind needs",
    async () => {
      const machine = new Machine();
      const terminal = new TestTerminal(machine, "new ability --id deploy --kind http");
      await terminal.shows("Which URL receives its input?");
      terminal.type("https://ci.example.com/deploy");
      terminal.keys("Enter");
      await terminal.shows("What is it for?");
      terminal.type("Deploys.");
      terminal.keys("Enter");
      await terminal.shows("exit code 0");
      const yaml = machine.read("project/.system/abilities/deploy.yaml");
      expect(yaml).toContain('  url: "https://ci.example.com/deploy"\n');
      expect(yaml).toContain("summary: Deploys.\n");
    },
    PATIENCE_MS,
  );

  test(
    "asks nothing when everything needed was said",
    async () => {
      const machine = new Machine();
      const terminal = new TestTerminal(machine, "new hook --event BeforeTool --id guard");
      await terminal.shows("exit code 0");
      expect(machine.has("project/scripts/hooks/guard.sh")).toBe(true);
    },
    PATIENCE_MS,
  );

  test.each([
    ["C-c", "new hook", "On which event does it run?"],
    ["C-c", "new hook --event BeforeTool", "What is its name?"],
    ["C-c", "new ability --id x --kind mcp", "Which server of mcpServers?"],
    ["C-d", "new hook", "On which event does it run?"],
    ["C-d", "new hook --event BeforeTool", "What is its name?"],
  ])(
    "%s in `%s` takes the question away and writes nothing",
    async (key, args, question) => {
      const machine = new Machine();
      const terminal = new TestTerminal(machine, args);
      await terminal.shows(question);
      terminal.keys(key);
      await terminal.shows("exit code 130");
      expect(terminal.text()).not.toContain("○");
      expect(readdirSync(machine.project)).toEqual([".git"]);
    },
    PATIENCE_MS,
  );
});
