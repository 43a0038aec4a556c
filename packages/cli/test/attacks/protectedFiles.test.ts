import { chmodSync, existsSync, linkSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject, type AgentRun, agentRun } from "../support/agentProject.ts";
import { type Files, hooksOn, Machine, USER_FILE } from "../support/machine.ts";
import { callsAll, says } from "../support/modelAnswers.ts";
import { hasProgram } from "../support/programs.ts";

const write = (file_path: string, content = "x") => ({ name: "write_file", args: { file_path, content } });
const statuses = (run: AgentRun) => run.json.toolCalls.map(({ status }) => status);
const guardedBy = (command: string): Files => ({
  ".hookline/settings.json": hooksOn("SessionEnd", [{ name: "guard", command }]),
});

/** Writes that must be denied, and some that must not, in one run; the first come back as file → status. */
async function attempt(project: AgentProject, denied: readonly string[], allowed: readonly string[] = ["notes.txt"]) {
  const run = await project.run({
    mode: "auto-edit",
    answers: [callsAll([...denied, ...allowed].map((path) => write(path))), says("Done.")],
  });
  const [refused, written] = [statuses(run).slice(0, denied.length), statuses(run).slice(denied.length)];
  expect(written).toEqual(allowed.map(() => "success"));
  return Object.fromEntries(denied.map((path, index) => [path, refused[index]]));
}

const allDenied = (paths: readonly string[]) => Object.fromEntries(paths.map((path) => [path, "denied"]));

describe("a file beside a trusted script does not replace what the script loads", () => {
  test.each<[string, Files, readonly string[], readonly string[]]>([
    [
      "Python",
      { ...guardedBy("python3 hooks/guard.py"), "hooks/guard.py": "import json\n" },
      ["hooks/json.py", "hooks/json/__init__.py", "hooks/JSON.PY", "hooks/x.pth", "hooks/deep/er/json.so"],
      ["hooks/notes.txt", "src/json.py"],
    ],
    [
      "Python by its first line",
      { ...guardedBy("hooks/guard.sh"), "hooks/guard.sh": "#!/usr/bin/env python3\nimport json\n" },
      ["hooks/json.py"],
      ["hooks/notes.txt"],
    ],
    [
      "Node",
      { ...guardedBy("node hooks/guard.mjs"), "hooks/guard.mjs": 'import "./rules.mjs";\n', "hooks/rules.mjs": "" },
      ["hooks/rules.mjs", "hooks/package.json", "hooks/lib/index.cjs", "hooks/addon.node"],
      ["hooks/rules.py"],
    ],
    [
      "a plugin",
      {
        ".hookline/settings.json": {
          hooks: { SessionEnd: [{ hooks: [{ type: "plugin", module: "hooks/guard.mjs" }] }] },
        },
        "hooks/guard.mjs": 'import "./rules.mjs"; export default () => {};\n',
        "hooks/rules.mjs": "",
      },
      ["hooks/rules.mjs", "hooks/rules.js"],
      ["rules.mjs"],
    ],
    [
      "a shell script",
      { ...guardedBy("hooks/guard.sh"), "hooks/guard.sh": "#!/bin/sh\n. hooks/lib.sh\n", "hooks/lib.sh": "" },
      ["hooks/lib.sh", "hooks/new.bash", "hooks/guard.py", "hooks/rules.js", "hooks/common"],
      ["hooks/notes.txt"],
    ],
    [
      "a script in the project's root",
      { ...guardedBy("python3 guard.py"), "guard.py": "import json\n" },
      ["json.py", "json/__init__.py"],
      ["src/json.py", "src/pkg/__init__.py"],
    ],
    [
      "an MCP server",
      {
        ".hookline/settings.json": { mcpServers: { s: { command: "python3", args: ["servers/s.py"] } } },
        "servers/s.py": "import json\n",
      },
      ["servers/json.py", "servers/json/__init__.py"],
      ["servers/README.md"],
    ],
  ])("of %s", async (_, files, denied, allowed) => {
    expect(await attempt(new AgentProject({ files }), denied, allowed)).toEqual(allDenied(denied));
  });

  test.skipIf(!hasProgram("python3"))("of a scaffolded guard, which keeps guarding", async () => {
    const project = new AgentProject();
    const id = ["--id", "no-secrets", "--matcher", "write_file|replace", "--language", "python"];
    expect(await project.machine.cli(["new", "hook", "--event", "BeforeTool", ...id])).toMatchObject({ code: 0 });
    const shadow = `import sys; open(${JSON.stringify(join(project.machine.dir, "ran"))}, "w"); sys.exit(0)`;
    const run = await project.run({
      mode: "auto-edit",
      answers: [
        callsAll([
          write("a.txt", "do-not-pass"),
          write("scripts/hooks/json.py", shadow),
          write("scripts/hooks/json/__init__.py", shadow),
          write("b.txt", "do-not-pass"),
        ]),
        says("Done."),
      ],
    });
    expect([run.has("a.txt"), run.has("b.txt"), project.machine.has("ran")]).toEqual([false, false, false]);
  });
});

describe("the user's own guard cannot be rewritten", () => {
  /** A folder of dotfiles that is also the project. */
  function dotfiles(): Machine {
    const machine = new Machine({
      "project/hookline/settings.json": hooksOn("BeforeTool", [
        { name: "user-guard", command: "hooks/guard.sh", onError: "block" },
      ]),
      "project/hookline/hooks/guard.sh": "#!/bin/sh\nif grep -q SECRET; then echo no secrets >&2; exit 2; fi\n",
    });
    symlinkSync(join(machine.project, "hookline"), join(machine.home, ".hookline"));
    return machine;
  }

  test.each([
    ["its script", "hookline/hooks/guard.sh", "#!/bin/sh\nexit 0\n"],
    ["its settings", "hookline/settings.json", "{}"],
    ["what is trusted", "hookline/trust.json", "{}"],
    ["its script by another case", "HookLine/hooks/GUARD.sh", "#!/bin/sh\nexit 0\n"],
  ])("through a link from the home folder to the project: %s", async (_, path, content) => {
    const machine = dotfiles();
    const answers = [callsAll([write(path, content), write("b.txt", "SECRET")]), says("Done.")];
    machine.write({ "answers.jsonl": answers.map((line) => `${JSON.stringify(line)}\n`).join("") });
    const model = `replay:${join(machine.dir, "answers.jsonl")}`;
    const run = await machine.cli([
      "run",
      "-p",
      "x",
      "--model",
      model,
      "--approval-mode",
      "auto-edit",
      "--output",
      "json",
    ]);
    const { toolCalls } = JSON.parse(run.stdout);
    expect(toolCalls.map(({ status }: { status: string }) => status)).toEqual(["denied", "blocked"]);
    expect(existsSync(join(machine.project, "b.txt"))).toBe(false);
  });
});

describe("hook files behind links of the project are protected", () => {
  test("a linked folder of YAML hooks, a linked script, a linked settings folder, a hard link", async () => {
    const project = new AgentProject({
      files: {
        "real/hooks/x.yaml": "id: x\nevent_type: SessionEnd\nhandler:\n  kind: script\n  command: tools/guard.sh\n",
        "real/guard.sh": "#!/bin/sh\n",
        "config/settings.json": hooksOn("SessionEnd", [{ name: "y", command: "real/other.sh" }]),
        "real/other.sh": "#!/bin/sh\n",
        "inner/a.txt": "",
      },
    });
    const at = (path: string) => join(project.machine.project, path);
    for (const folder of [".system", "tools"]) mkdirSync(at(folder));
    symlinkSync("../real/hooks", at(".system/hooks"));
    symlinkSync("../real/guard.sh", at("tools/guard.sh"));
    symlinkSync("config", at(".gemini"));
    symlinkSync("../config/settings.json", at("inner/innocent.json"));
    linkSync(at("real/other.sh"), at("inner/hard-link.txt"));
    const denied = [
      "real/hooks/x.yaml",
      "real/hooks/new.yaml",
      "real/guard.sh",
      "config/settings.json",
      "inner/innocent.json",
      "inner/../inner/innocent.json",
      "inner/hard-link.txt",
    ];
    expect(await attempt(project, denied, ["inner/a.txt"])).toEqual(allDenied(denied));
  });
});

describe("what makes git or another agent run programs is not written without a question", () => {
  const paths = [
    ".git/config",
    ".git/hooks/pre-commit",
    ".GIT/config",
    ".gIt./config",
    ".git /hooks/post-checkout",
    ".g\u200cit/config",
    "vendor/lib/.git/config",
    ".claude/settings.json",
    ".codex/config.toml",
    ".cursor/mcp.json",
    ".qwen/settings.json",
    ".copilot/config.json",
    ".vscode/mcp.json",
    ".mcp.json",
    "sub/.mcp.json",
    ".HOOKLINE/settings.json",
    ".hoo\u212aline/settings.json",
  ];

  test.each(["auto-edit", "yolo"] as const)("in the mode %s", async (mode) => {
    const run = await agentRun({
      files: { ".gitignore": "", "git/config": "" },
      mode,
      answers: [
        callsAll([...paths.map((path) => write(path)), write(".gitignore"), write("git/config")]),
        says("Done."),
      ],
    });
    expect(statuses(run)).toEqual([...paths.map(() => "denied"), "success", "success"]);
    expect(paths.filter((path) => run.has(path))).toEqual([]);
  });

  test("a clean filter that the model plants does not run at the end of the session", async () => {
    const project = new AgentProject({ files: { "a.txt": "a" } });
    project.machine.write({ [USER_FILE]: hooksOn("SessionStop", [{ name: "bye", command: "true" }]) });
    const config = `[core]\n\trepositoryformatversion = 0\n[filter "x"]\n\tclean = "touch ${project.machine.dir}/ran; cat"\n`;
    const planted = [write(".git/config", config), write(".git/info/attributes", "* filter=x"), write("a.txt", "b")];
    const run = await project.run({ mode: "auto-edit", answers: [callsAll(planted), says("Done.")] });
    expect(statuses(run)).toEqual(["denied", "denied", "success"]);
    expect([run.has(".git/config"), project.machine.has("ran")]).toEqual([false, false]);
  });
});

describe("auto-edit does not cover files that other programs execute", () => {
  test("by their names, in any case, and by their mode", async () => {
    const denied = [
      ".husky/pre-commit",
      ".vscode/tasks.json",
      ".envrc",
      ".devcontainer/devcontainer.json",
      ".devcontainer.json",
      ".github/workflows/ci.yml",
      ".GitHub/Workflows/ci.yml",
      ".gitlab-ci.yml",
      "package.json",
      "packages/a/Package.JSON",
      "Makefile",
      "makefile",
      "GNUmakefile",
      ".npmrc",
      ".pre-commit-config.yaml",
      "setup.py",
      "node_modules/x/index.js",
      "run.sh",
      "bin/tool",
    ];
    const project = new AgentProject({ files: { "run.sh": "#!/bin/sh\n", "bin/tool": "#!/bin/sh\n" } });
    chmodSync(join(project.machine.project, "bin/tool"), 0o755);
    const allowed = ["src/a.ts", "README.md", "package.txt", "docs/Makefile.md", "new.sh"];
    expect(await attempt(project, denied, allowed)).toEqual(allDenied(denied));
  });

  test("also through a link, and by replace", async () => {
    const project = new AgentProject({ files: { "package.json": "{}", Makefile: "all:\n" } });
    symlinkSync("package.json", join(project.machine.project, "notes.txt"));
    const replace = { file_path: "Makefile", old_string: "all:", new_string: "all:\n\ttouch x" };
    const run = await project.run({
      mode: "auto-edit",
      answers: [callsAll([write("notes.txt"), { name: "replace", args: replace }]), says("Done.")],
    });
    expect(statuses(run)).toEqual(["denied", "denied"]);
    expect([run.file("package.json"), run.file("Makefile")]).toEqual(["{}", "all:\n"]);
  });
});
