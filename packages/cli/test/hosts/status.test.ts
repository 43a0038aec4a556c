import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { hooksOn, Machine, USER_FILE } from "../support/machine.ts";
import { needNativeClient } from "./nativeClient.ts";

needNativeClient();

/** hookline, installed into an agent that has left its folder. */
async function installed(): Promise<Machine> {
  const machine = new Machine({ "home/.claude/settings.json": {} });
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const { code } = await machine.run(["install", "claude", "--yes"]);
  expect(code).toBe(0);
  return machine;
}

function call(machine: Machine): void {
  const client = join(machine.home, ".hookline/bin/hookline-hook");
  const deadlines = ["--deadline", "20000", "--ask-deadline", "20000"];
  const input = JSON.stringify({ session_id: "s", tool_name: "Bash", tool_input: { command: "true" } });
  spawnSync(client, ["claude", "PreToolUse", ...deadlines], { cwd: machine.project, env: machine.env(), input });
}

test("status says which agents are guarded, and whether they have called", async () => {
  const machine = await installed();
  const before = await machine.run(["status"]);
  expect(before.stdout).toContain("● Claude Code · guarded · never called\n  user ~/.claude/settings.json\n");
  expect(before.stdout).toContain(
    "! No hook is declared here, so nothing is guarded in this folder: hookline new hook",
  );
  expect(before.stdout).toContain("can be overridden by a mod");
  expect(before.stdout).toContain("daemon: not running; the next call starts it");
  call(machine);
  expect((await machine.run(["status"])).stdout).toMatch(/guarded · last call \d+ s ago \(PreToolUse\)/);
  await endDaemon(machine.home);
  const { hosts, daemon } = JSON.parse((await machine.run(["status", "--json"])).stdout);
  expect(daemon).toBeNull();
  expect(hosts[0]).toMatchObject({ name: "claude", seen: { calls: 1, lastEvent: "PreToolUse" }, missed: [] });
});

test("status and doctor say what keeps an agent from being guarded", async () => {
  const machine = await installed();
  machine.write({
    "home/.claude/settings.json": {},
    "home/.hookline/run/missed": `${Date.now()}\tclaude\tPreToolUse\trefused\tthe daemon's answer was torn\t/p\n`,
    "home/.hookline/run/daemon.start": "/gone/node\0/gone/hookline.js\0daemon\0run\0",
  });
  const { stdout: status } = await machine.run(["status"]);
  expect(status).toContain("● Claude Code · not guarded");
  expect(status).toContain(
    "! The hooks of hookline are gone, so Claude Code is not guarded. Run `hookline install claude`.",
  );
  expect(status).toContain("1 call of the last day had no answer, 1 refused; the last");
  const { stdout: doctor } = await machine.run(["doctor"]);
  for (const text of [
    "The hooks of hookline are gone, so Claude Code is not guarded.",
    "Claude Code never called hookline.",
    "1 call of Claude Code had no answer in the last day",
    "What starts the daemon is gone: /gone/node, /gone/hookline.js",
  ]) {
    expect(doctor).toContain(text);
  }
});

test("a user without other agents reads nothing about them in doctor", async () => {
  expect((await new Machine().run(["doctor"])).stdout).not.toContain("agents");
});

test("explain says what another agent does with the answer", async () => {
  const machine = new Machine();
  const { stdout } = await machine.run(["explain", "BeforeTool", "write_file", "--host", "codex"]);
  expect(stdout).toContain("in Codex, on its event PreToolUse");
  expect(stdout).toMatch(/block +yes \(tested\)/);
  expect(stdout).toContain("ask      hookline asks you (`hookline asks`); without an answer in time, the answer is no");
  expect(stdout).toContain("No hook would run.");
  machine.write({
    [USER_FILE]: hooksOn("BeforeTool", [{ name: "no-rm", command: "true" }], { matcher: "run_shell_command" }),
  });
  const sample = await machine.run(["explain", "BeforeTool", "--host", "codex"]);
  expect(sample.stdout).toContain(
    "No hook would run for write_file. For another one: hookline explain BeforeTool <subject>",
  );
  const never = await machine.run(["explain", "BeforeModel", "--host", "claude"]);
  expect(never.stdout).toContain("Claude Code never fires BeforeModel");
  const unknown = await machine.run(["explain", "BeforeTool", "--host", "clyde"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no agent "clyde"')]);
});
