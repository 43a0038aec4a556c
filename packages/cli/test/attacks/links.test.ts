import { spawn } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { AgentProject, type AgentRun, type Hook } from "../support/agentProject.ts";
import { ENGINE, endOf } from "../support/machine.ts";
import { type Call, callsAll, says } from "../support/modelAnswers.ts";

const SECRET = "TOP-SECRET";
const FILES = { ".env": `${SECRET}\n`, "safe.txt": "safe\n", "secret/key.txt": `${SECRET}\n`, "sub/a.txt": "a\n" };
const LINKS = {
  "notes.txt": ".env",
  "chain.txt": "notes.txt",
  "sub/up.txt": "../.env",
  dir: "sub",
  public: "secret",
  "dangling.txt": "config/.env",
  "swapped.txt": "safe.txt",
};

/** The README's guard, for folders as well. */
const NO_ENV = `if printf '%s' "$input" | grep -Eq '_path":"([^"\\\\]|\\\\.)*(\\.env|secret)[/"]'; then
  echo "off limits" >&2; exit 2
fi`;
const guard: Hook = { on: "BeforeTool", name: "no-env", runs: NO_ENV, settings: { onError: "block" } };

function linkedProject(...hooks: readonly Hook[]): AgentProject {
  const project = new AgentProject({ files: FILES, hooks });
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(project.machine.project, path));
  return project;
}

/** One answer with all calls, then the end. */
function run(project: AgentProject, all: readonly Call[]): Promise<AgentRun> {
  return project.run({ answers: [callsAll(all), says("done")] });
}

const read = (file_path: string): Call => ({ name: "read_file", args: { file_path } });

/** What the model is told of each call, in the order of the calls. */
function outcomes(ran: AgentRun): string[] {
  const results = ran.modelSaw(2).filter((line) => /^\w+ (returned|failed): /.test(line));
  return results.map((line) => /failed: Tool call (blocked|not approved)/.exec(line)?.[1] ?? "ran");
}

describe("a link in the repository does not lead past a guard", () => {
  test.each<[string, readonly Call[]]>([
    ["to read a file", [read("notes.txt"), read("chain.txt"), read("dir/up.txt"), read("dir/../notes.txt")]],
    ["to write a file", [{ name: "write_file", args: { file_path: "notes.txt", content: "mine" } }]],
    [
      "to change a file",
      [{ name: "replace", args: { file_path: "dir/up.txt", old_string: "TOP", new_string: "mine" } }],
    ],
    ["to create a file", [{ name: "write_file", args: { file_path: "dangling.txt", content: "mine" } }]],
    [
      "to look into a folder",
      [
        { name: "list_directory", args: { dir_path: "public" } },
        { name: "glob", args: { dir_path: "./public", pattern: "*" } },
        { name: "grep_search", args: { path: "sub/../public", pattern: "TOP" } },
      ],
    ],
    [
      "to run a command in a folder",
      [{ name: "run_shell_command", args: { command: "cat key.txt", dir_path: "public" } }],
    ],
  ])("%s", async (_, all) => {
    const project = linkedProject(guard);
    const ran = await run(project, [...all, read("safe.txt"), read("sub/a.txt")]);
    expect(outcomes(ran)).toEqual([...all.map(() => "blocked"), "ran", "ran"]);
    expect(ran.modelSaw(2).join("\n")).not.toContain(SECRET);
    expect([ran.file(".env"), ran.has("config/.env")]).toEqual([`${SECRET}\n`, false]);
    expect(ran.seen("no-env").filter(({ second_pass }) => second_pass)).toHaveLength(all.length);
  });

  test("that compares whole names", async () => {
    const exact = `case "$input" in *'"file_path":".env"'*) exit 2;; esac`;
    const ran = await run(linkedProject({ ...guard, runs: exact }), [
      read("./.env"),
      read("sub/../.env"),
      read(".//.env"),
      read("dir/../.env"),
    ]);
    expect(outcomes(ran)).toEqual(["blocked", "blocked", "blocked", "blocked"]);
  });

  test("that asks, or that only sees what another hook made of the path", async () => {
    const asks: Hook = {
      ...guard,
      runs: `case "$input" in *'"file_path":".env"'*) echo '{"decision":"ask","reason":"sure?"}';; esac`,
    };
    const rewrites: Hook = {
      on: "BeforeTool",
      name: "rewrites",
      runs: `case "$input" in *moved*) echo '{"hookSpecificOutput":{"tool_input":{"file_path":"notes.txt"}}}';; esac`,
    };
    const ran = await run(linkedProject(asks, rewrites), [read("notes.txt"), read("moved.txt"), read("safe.txt")]);
    expect(outcomes(ran)).toEqual(["not approved", "not approved", "ran"]);
  });

  test("of abilities, or of results", async () => {
    const ability: Hook = {
      on: "PreAbilityCall",
      name: "ability",
      runs: `case "$input" in *'.env'*) echo "off limits" >&2; exit 2;; esac`,
    };
    const ofAbility = await run(linkedProject(ability), [read("notes.txt"), read("safe.txt")]);
    expect(outcomes(ofAbility)).toEqual(["blocked", "ran"]);
    const ofResult = await run(linkedProject({ ...guard, on: "AfterTool", name: "result" }), [
      read("notes.txt"),
      read("safe.txt"),
    ]);
    expect(
      ofResult
        .modelSaw(2)
        .slice(-2)
        .map((line) => line.trimEnd()),
    ).toEqual(["read_file failed: off limits", "read_file returned: safe"]);
  });
});

describe("a path that is swapped after the guard was asked", () => {
  const swap = (runs: string, more: Partial<Hook> = {}): Hook => ({
    on: "PreAbilityCall",
    name: "swap",
    runs,
    ...more,
  });
  const observes = { on: "BeforeTool", settings: { mode: "observe" } };

  test.each<[string, Hook, Call]>([
    ["a link", swap("ln -sfn .env swapped.txt"), read("swapped.txt")],
    ["a link, before the arguments are checked", swap("ln -sfn .env swapped.txt", observes), read("swapped.txt")],
    ["a folder above it", swap("mv sub gone; ln -s secret sub; ln secret/key.txt secret/a.txt"), read("sub/a.txt")],
    ["the file itself", swap("rm safe.txt; ln -s .env safe.txt"), read("safe.txt")],
    [
      "the folder to search",
      swap("rm -r sub; ln -s secret sub"),
      { name: "grep_search", args: { dir_path: "sub", pattern: "." } },
    ],
  ])("does not lead to another file: %s", async (_, hook, call) => {
    const ran = await run(linkedProject(guard, hook), [call]);
    expect(ran.modelSaw(2).join("\n")).not.toContain(SECRET);
  });
});

test("a guard of an embedding program is asked about the file that a link leads to", async () => {
  const project = linkedProject();
  project.machine.write({
    "project/embedder.mjs": `
      import { executeToolWithHooks, SettingsConfig } from ${JSON.stringify(ENGINE)};
      const config = new SettingsConfig({ workingDir: process.cwd() + "/sub", trust: "all", homeDir: "/nowhere" });
      const system = config.getHookSystem();
      await system.initialize();
      const action = ({ tool_input }) => (/\\.env$/.test(tool_input.file_path) ? { decision: "deny" } : {});
      system.registerHook({ type: "runtime", name: "no-env", action }, "BeforeTool");
      const ran = [];
      for (const [tool, file_path] of [["Read", "up.txt"], ["read_file", process.cwd() + "/notes.txt"], ["Edit", "../chain.txt"], ["Read", "a.txt"]]) {
        await executeToolWithHooks(config, tool, { file_path }, async (input, signal, paths) => {
          ran.push([input.file_path, paths?.file_path]);
          return { llmContent: "", returnDisplay: "" };
        });
      }
      console.log(JSON.stringify(ran));`,
  });
  const { machine } = project;
  const file = join(machine.project, "embedder.mjs");
  const ended = await endOf(spawn(process.execPath, [file], { cwd: machine.project, env: machine.env() }));
  expect([ended.stdout.trim(), ended.stderr]).toEqual([
    JSON.stringify([["a.txt", join(machine.project, "sub/a.txt")]]),
    "",
  ]);
});
