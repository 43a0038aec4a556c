import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { hasCompiler } from "../../../client/test/support/compiler.ts";
import { endOf } from "../../../client/test/support/installation.ts";
import { hookline } from "../daemon/support/commands.ts";
import { command, DaemonHome, decisionIn, NO_RM, on } from "../daemon/support/daemonHome.ts";

const PATIENCE = { timeout: 20_000, interval: 20 };
const PASSED = { decision: undefined, reason: undefined };
/** Blocks, but not if it fails. */
const SAYS_NO = command("says-no", "grep -q 'rm ' && { echo 'no rm here' >&2; exit 2; }; exit 0");
const DENIED = { decision: "deny", reason: "no rm here" };

function nested(levels: number): unknown {
  return levels === 0 ? "x" : [nested(levels - 1)];
}

describe.runIf(hasCompiler)("what a repository's .env sets in an agent", () => {
  test.each([
    ["BASH_ENV", "evil.sh", "exit 0", NO_RM],
    ["NODE_OPTIONS", "evil.cjs", "process.exit(0)", command("node", "node $HOME/guard.mjs", { onError: "block" })],
    ["PYTHONPATH", "sitecustomize.py", "import os; os._exit(0)", command("py", "python3 $HOME/guard.py")],
  ])("does not switch a guard off, in that session or a later one: %s", async (name, file, content, guard) => {
    const home = new DaemonHome(on("BeforeTool", "*", guard));
    home.write("guard.mjs", "process.stderr.write('no rm here'); process.exitCode = 2;");
    home.write("guard.py", "import sys; sys.stderr.write('no rm here'); sys.exit(2)");
    home.write(`project/${file}`, content);
    const path = join(home.project, file);
    const value = name === "NODE_OPTIONS" ? `--require ${path}` : name === "PYTHONPATH" ? home.project : path;
    const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
    expect(decisionIn(await home.bash("rm x", { env: { ...env, [name]: value }, session: "set" }))).toEqual(DENIED);
    expect(decisionIn(await home.bash("rm x", { env, session: "clean" }))).toEqual(DENIED);
  });
});

describe.runIf(hasCompiler)("arguments that no guard can read do not run in an agent", () => {
  test.each([
    ["half a character", "Bash", { command: "rm x", description: "\ud800" }],
    ["very deep ones", "Bash", { command: "rm x", more: nested(250) }],
    [
      "more edits than are checked",
      "MultiEdit",
      { file_path: "a", edits: Array(501).fill({ old_string: "a", new_string: "b" }) },
    ],
  ])("%s", async (_, tool, input) => {
    const home = new DaemonHome(on("BeforeTool", "*", SAYS_NO));
    expect(decisionIn(await home.tool(tool, input))).toMatchObject({ decision: "deny" });
    const bare = new DaemonHome();
    expect(decisionIn(await bare.tool(tool, input))).toMatchObject({ decision: "deny" });
    expect(hookline(home, "log", "--json").stdout).toContain("hooks could not be asked");
  });

  test("a patch that cannot be read", async () => {
    const home = new DaemonHome();
    const patch = " *** Begin Patch\n *** Add File: .git/hooks/pre-commit\n+echo\n*** End Patch";
    const fields = { turn_id: "t", model: "m", permission_mode: "default", tool_use_id: "c" };
    const call = { ...fields, tool_name: "apply_patch", tool_input: { command: patch } };
    const ended = await home.event("PreToolUse", call, { host: "codex", deadlineMs: 5_000 });
    expect(decisionIn(ended)).toMatchObject({ decision: "deny" });
  });
});

test.runIf(hasCompiler)("an objection that was made in time counts, although another hook is late", async () => {
  const slow = command("slow", "sleep 30");
  const home = new DaemonHome(on("BeforeTool", "*", SAYS_NO, slow));
  await home.event("Notification", { message: "the daemon is warm now" });
  expect(decisionIn(await home.bash("rm x", { deadlineMs: 3_000 }))).toEqual(DENIED);
  const settings = { file_path: join(home.dir, ".hookline/settings.json"), content: "{}" };
  const own = decisionIn(await home.tool("Write", settings, { deadlineMs: 3_000 }));
  expect(own).toMatchObject({ decision: "ask", reason: expect.stringContaining("decides what hooks do") });
});

describe.runIf(hasCompiler)("a session keeps the guards of the project that it began in", () => {
  test.each([".git", ".hookline", ".gemini"])(
    "although the agent makes a folder a project of its own: %s",
    async (marker) => {
      const home = new DaemonHome();
      home.write("project/.hookline/settings.json", on("BeforeTool", "run_shell_command", NO_RM));
      home.trust();
      expect(decisionIn(await home.bash("rm x", { session: "s" }))).toEqual(DENIED);
      const below = join(home.project, "sub");
      mkdirSync(join(below, marker), { recursive: true });
      expect(decisionIn(await home.bash("rm x", { session: "s", cwd: below }))).toEqual(DENIED);
      await home.kill();
      expect(decisionIn(await home.bash("rm x", { session: "s", cwd: below }))).toEqual(DENIED);
      expect(decisionIn(await home.bash("rm x", { session: "another", cwd: below }))).toEqual(PASSED);
    },
  );
});

test.runIf(hasCompiler)(
  "a session without a project's guards does not open the door for one that has them",
  async () => {
    const home = new DaemonHome();
    home.write("project/.hookline/settings.json", on("BeforeTool", "run_shell_command", NO_RM));
    await home.bash("ls", { session: "before" });
    home.trust();
    expect(decisionIn(await home.bash("rm x", { session: "after" }))).toEqual(DENIED);
    home.write("project/.hookline/settings.json", on("BeforeTool", "run_shell_command|x", NO_RM));
    home.write("project/.hookline/settings.json", on("BeforeTool", "run_shell_command", NO_RM));
    const closed = () => readFileSync(join(home.run, "closed"), "utf8");
    await vi.waitFor(async () => {
      await home.bash("ls", { session: "before" });
      expect(closed()).toContain(`BeforeTool\t${home.project}\n`);
    }, PATIENCE);
  },
);

test.runIf(hasCompiler)("a call whose client was killed has no answer for the same call", async () => {
  const slow = command("slow-no", '[ -e "$HOME/begun" ] || { touch "$HOME/begun"; sleep 30; }; echo no >&2; exit 2');
  const home = new DaemonHome(on("BeforeTool", "*", slow));
  const payload = { session_id: "s", transcript_path: "", cwd: home.project, hook_event_name: "PreToolUse" };
  const call = { ...payload, tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: "same" };
  const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
  const killed = home.start({ env });
  killed.stdin?.end(JSON.stringify(call));
  await vi.waitFor(() => expect(existsSync(join(home.dir, "begun"))).toBe(true), PATIENCE);
  killed.kill("SIGKILL");
  await endOf(killed);
  expect(decisionIn(await home.bash("ls", { id: "same", env }))).toEqual({ decision: "deny", reason: "no" });
});

test.runIf(hasCompiler)(
  "a person sees what would run, after all rewrites, and the journal keeps the answer",
  async () => {
    const rewrite = `echo '{"hookSpecificOutput":{"tool_input":{"command":"echo safe"}}}'`;
    const asks = `echo '{"decision":"ask","reason":"is that wise?"}'`;
    const home = new DaemonHome(on("BeforeTool", "*", command("asker", asks), command("rewriter", rewrite)));
    const tool = { tool_name: "run_shell_command", tool_input: { command: "rm -rf build" } };
    const answer = home.event("BeforeTool", tool, { host: "gemini", askDeadlineMs: 60_000 });
    await vi.waitFor(async () => expect(await home.questions()).toHaveLength(1), PATIENCE);
    const [question] = await home.questions();
    expect(question?.details).toContain("echo safe");
    expect(question?.details).not.toContain("rm -rf build");
    await home.decide(question?.id ?? "", true);
    await answer;
    await vi.waitFor(() => {
      const [approval] = hookline(home, "log", "--event", "Approval", "--json").stdout.split("\n");
      expect(JSON.parse(approval ?? "")).toMatchObject({ subject: "run_shell_command", outcome: "approved" });
    }, PATIENCE);
  },
);

test.runIf(hasCompiler)("a guard is in run/closed as soon as a command has read it", async () => {
  const home = new DaemonHome();
  await home.bash("ls");
  await home.kill();
  home.writeSettings(on("BeforeTool", "*", NO_RM));
  expect(hookline(home, "list").code).toBe(0);
  writeFileSync(join(home.run, "daemon.start"), ["/nowhere/node", "x", ""].join("\0"));
  expect(decisionIn(await home.bash("rm x", { deadlineMs: 2_000 }))).toMatchObject({ decision: "deny" });
});

test.runIf(hasCompiler)("a call that had no answer is in the journal once a daemon runs", async () => {
  const home = new DaemonHome(on("BeforeTool", "*", NO_RM));
  await home.bash("ls");
  await home.kill();
  const start = readFileSync(join(home.run, "daemon.start"));
  home.writeRun("daemon.start", ["/nowhere/node", "x", ""].join("\0"));
  expect(decisionIn(await home.bash("rm x", { deadlineMs: 2_000 }))).toMatchObject({ decision: "deny" });
  home.writeRun("daemon.start", start);
  for (let calls = 0; calls < 2; calls++) await home.bash("ls");
  await home.kill("SIGTERM");
  await vi.waitFor(() => {
    const lines = hookline(home, "log", "--json").stdout.split("\n");
    expect(lines.filter((line) => line.includes("the client had no answer"))).toHaveLength(1);
  }, PATIENCE);
});
