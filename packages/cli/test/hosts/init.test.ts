import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { answerFrame, type HookRequest, RequestReader } from "../../src/daemon/wire.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { processFacts } from "../../src/terminal/processes.ts";
import { hooksOn, Machine, PROJECT_FILE, USER_FILE } from "../support/machine.ts";
import { hasProgram } from "../support/programs.ts";
import { TestTerminal } from "../support/terminal.ts";
import { needNativeClient } from "./nativeClient.ts";
import { snapshot } from "./snapshot.ts";

needNativeClient();

/** A daemon that says nothing to every call, and keeps what it was asked. */
async function serve(machine: Machine): Promise<readonly HookRequest[]> {
  const requests: HookRequest[] = [];
  mkdirSync(join(machine.home, ".hookline/run"), { recursive: true, mode: 0o700 });
  const server = createServer((socket) => {
    const reader = new RequestReader();
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        const request = reader.push(chunk);
        if (request === undefined) return;
        requests.push(request);
        socket.end(answerFrame({ exitCode: 0, stdout: "", stderr: "" }));
      });
  });
  await new Promise<void>((resolve) => server.listen(join(machine.home, ".hookline/run/daemon.sock"), resolve));
  onTestFinished(() => {
    server.close();
  });
  return requests;
}

const payload = z.object({
  hook_event_name: z.string(),
  tool_name: z.string(),
  tool_input: z.object({ command: z.string() }),
});

test("init installs into the agents that it finds, calls each hook as the agent would, and says what is guarded", async () => {
  const machine = new Machine({
    "home/.claude/projects/x": "",
    "home/.gemini/oauth": "",
    [USER_FILE]: hooksOn("BeforeTool", [{ name: "no-env", command: "true" }]),
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "theirs", command: "true" }]),
  });
  const requests = await serve(machine);
  const { code, stdout } = await machine.run(["init"], { interactive: true, confirm: async () => true });
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining("✓ Claude Code: 2 hooks on BeforeTool · a canary was answered in "),
  ]);
  expect(stdout).toContain("✓ Gemini CLI: 2 hooks on BeforeTool");
  expect(stdout).toContain("new theirs on BeforeTool .hookline/settings.json:");
  expect(stdout).not.toContain("Codex");
  expect(requests.map(({ host, event, cwd }) => [host, event, cwd])).toEqual([
    ["claude", "PreToolUse", machine.project],
    ["gemini", "BeforeTool", machine.project],
  ]);
  expect(requests.map((request) => payload.parse(JSON.parse(request.payload.toString())))).toEqual([
    { hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command: "true" } },
    { hook_event_name: "BeforeTool", tool_name: "run_shell_command", tool_input: { command: "true" } },
  ]);

  const again = JSON.parse((await machine.run(["init", "--yes", "--json"])).stdout);
  expect(again).toMatchObject({
    install: { written: false },
    canaries: [
      { host: "claude", kind: "answered" },
      { host: "gemini", kind: "answered" },
    ],
  });
});

test("hooks that wait for trust are not counted: without a terminal init names the command, and a no is kept", async () => {
  const machine = new Machine({
    "home/.claude/projects/x": "",
    [PROJECT_FILE]: hooksOn("BeforeTool", [{ name: "theirs", command: "true" }]),
  });
  await serve(machine);
  const notice = "! 1 hook of this project is not trusted and does not run: hookline trust";
  const scripted = await machine.run(["init", "--yes"]);
  expect([scripted.code, scripted.stdout]).toEqual([0, expect.stringContaining(notice)]);
  expect(scripted.stdout).toContain("✓ Claude Code: connected · ");
  const questions: string[] = [];
  const confirm = async (question: string) => {
    questions.push(question);
    return false;
  };
  const { stdout } = await machine.run(["init"], { interactive: true, confirm });
  expect(questions).toEqual([
    expect.stringMatching(/^May 1 hook of .* start this code, now and whenever its events fire/),
  ]);
  expect(stdout).toContain(notice);
});

test("init without a hook says that nothing is guarded yet", async () => {
  const machine = new Machine({ "home/.claude/projects/x": "" });
  await serve(machine);
  const { stdout } = await machine.run(["init", "--yes"]);
  expect(stdout).toContain("What is connected\n✓ Claude Code: connected · ");
  expect(stdout).toContain("! No hook is declared here, so nothing is guarded in this folder: hookline new hook");
});

test("the built program starts its daemon for the first call, and the last uninstall ends it and leaves no trace", async () => {
  const machine = new Machine({ "home/.codex/config.toml": "" });
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const before = snapshot(machine.home);
  const { code, stdout } = await machine.cli(["init", "--yes"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("✓ Codex: connected · a canary was answered in ")]);
  expect((await machine.cli(["status"])).stdout).toContain("● Codex · guarded · never called");
  const { pid } = z
    .object({ pid: z.number() })
    .parse(JSON.parse((await machine.cli(["daemon", "status", "--json"])).stdout));
  expect(processFacts(pid)?.argv.slice(2)).toEqual(["daemon", "run", "--home", machine.home]);
  const removed = await machine.run(["uninstall", "codex", "--yes"]);
  expect([removed.code, removed.stdout]).toEqual([0, expect.stringContaining("No agent calls hookline any more.\n")]);
  expect(processFacts(pid)).toBeUndefined();
  expect(snapshot(machine.home)).toEqual(before);
});

test("init without an agent on this machine says where it looked", async () => {
  const ended = await new Machine().run(["init"]);
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No agent found: looked on PATH and in your home folder for claude"),
  });
});

test.runIf(hasProgram("tmux"))("the commands of README's first screen end with a guarded Claude Code", async () => {
  const machine = new Machine({ "home/.claude/projects/x": "" });
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const words = ["--event", "BeforeTool", "--id", "no-secrets", "--matcher", "write_file|replace"];
  expect(await machine.cli(["new", "hook", ...words])).toMatchObject({ code: 0 });
  const terminal = new TestTerminal(machine, "init", { columns: 80, env: { PATH: "/usr/bin:/bin" } });
  await terminal.shows("Install hookline into Claude Code?");
  terminal.type("y");
  await terminal.shows(/May 1 hook of .* start this code/);
  terminal.type("y");
  await terminal.shows("exit code 0");
  expect(terminal.text()).toContain("What is guarded\n✓ Claude Code: 1 hook on BeforeTool · a canary was answered");

  const client = join(machine.home, ".hookline/bin/hookline-hook");
  const deadlines = ["--deadline", "60000", "--ask-deadline", "60000"];
  const tool_input = { file_path: join(machine.project, "notes"), content: "do-not-pass" };
  const call = {
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input,
    tool_use_id: "t",
    cwd: machine.project,
  };
  const input = JSON.stringify({ session_id: "s", transcript_path: "", permission_mode: "default", ...call });
  const options = { cwd: machine.project, env: machine.env(), input, encoding: "utf8" } as const;
  expect(spawnSync(client, ["claude", "PreToolUse", ...deadlines], options).stdout).toContain(
    '"permissionDecision":"deny"',
  );
});

test.runIf(hasProgram("tmux"))("Ctrl-C at the question writes nothing", async () => {
  const machine = new Machine({ "home/.codex/config.toml": "" });
  const before = snapshot(machine.home);
  const terminal = new TestTerminal(machine, "init", { columns: 200, env: { PATH: "/usr/bin:/bin" } });
  await terminal.shows("Install hookline into Codex?");
  terminal.keys("C-c");
  await terminal.shows("exit code 130");
  expect(snapshot(machine.home)).toEqual(before);
});
