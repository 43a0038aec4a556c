import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { executeToolWithHooks, SettingsConfig } from "@hookline/engine";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../support/machine.ts";
import { Sandbox, toolNamed } from "./sandbox.ts";

const run = (sandbox: Sandbox, command: string, more = {}) => sandbox.call("run_shell_command", { command, ...more });

test("run_shell_command returns what is printed, and the exit code as data", async () => {
  expect(await run(new Sandbox(), "echo one")).toEqual({
    llmContent: "one\n",
    returnDisplay: "one\n",
    metadata: { exitCode: 0 },
  });
});

test("a command that fails is no error of the tool, and the model reads its exit code", async () => {
  const result = await run(new Sandbox(), "echo no; exit 3");
  expect(result).toEqual({ llmContent: "no\n\nExit code: 3", returnDisplay: "no\n", metadata: { exitCode: 3 } });
});

test("a command killed by a signal says by which", async () => {
  const result = await run(new Sandbox(), "kill -KILL $$");
  expect(result).toMatchObject({ llmContent: "(no output)\nKilled by SIGKILL", metadata: { signal: "SIGKILL" } });
});

test("it runs in the workspace, or in the folder of it that is named", async () => {
  const sandbox = new Sandbox({ "sub/a.txt": "" });
  expect(await sandbox.answer("run_shell_command", { command: "pwd" })).toBe(`${sandbox.root}\n`);
  expect(await sandbox.answer("run_shell_command", { command: "pwd", dir_path: "sub" })).toBe(
    `${sandbox.path("sub")}\n`,
  );
  expect(await sandbox.validate("run_shell_command", { command: "pwd", dir_path: "sub/a.txt" })).toBe(
    "sub/a.txt is not a folder.",
  );
});

test("the command is one argument of the shell, even if it looks like an option, and its input is empty", async () => {
  const sandbox = new Sandbox();
  expect(await sandbox.answer("run_shell_command", { command: "-x" })).toContain("Exit code: 127");
  expect(await sandbox.answer("run_shell_command", { command: "cat; echo \"$0's '$#'\"" })).toMatch(/sh's '0'\n$/);
});

test("commands that are empty or contain NUL, and times over ten minutes, are refused", async () => {
  const fault = (input: object) => new Sandbox().validate("run_shell_command", { command: "true", ...input });
  expect(await fault({ command: " \n" })).toBe("`command`: the command is empty.");
  expect(await fault({ command: "a\0b" })).toBe("`command`: the command contains a NUL character.");
  expect(await fault({ timeout: 600_001 })).toBe("`timeout`: Too big: expected number to be <=600000.");
});

test("credentials of the environment are withheld, and scripts can tell who runs them", async () => {
  const env = { PATH: process.env.PATH, HOME: "/h", GEMINI_API_KEY: "k", GITHUB_TOKEN: "t", AWS_PROFILE: "p" };
  const text = await new Sandbox().answer("run_shell_command", { command: "env" }, { env });
  expect(text.split("\n")).toEqual(expect.arrayContaining(["HOME=/h", "HOOKLINE=1"]));
  expect(text).not.toMatch(/GEMINI_API_KEY|GITHUB_TOKEN|AWS_PROFILE/);
});

test("both streams are passed on while the command runs, in the order they came", async () => {
  const sandbox = new Sandbox();
  let seen = "";
  const onOutput = (text: string) => {
    seen += text;
    sandbox.write(`seen-${seen.split("\n").length - 1}`, ""); // the command waits for this
  };
  const wait = (count: number) => `while ! [ -e seen-${count} ]; do sleep 0.05; done`;
  const command = `echo one; ${wait(1)}; echo two >&2; ${wait(2)}; echo three`;
  expect(await sandbox.answer("run_shell_command", { command }, { onOutput })).toBe("one\ntwo\nthree\n");
  expect(seen).toBe("one\ntwo\nthree\n");
});

test("a character that arrives in two pieces is passed on whole", async () => {
  const pieces: string[] = [];
  const command = "printf '\\303'; sleep 0.3; printf '\\251\\n'";
  const onOutput = (text: string) => pieces.push(text);
  expect(await new Sandbox().answer("run_shell_command", { command }, { onOutput })).toBe("é\n");
  expect(pieces.join("")).toBe("é\n");
});

test("of a huge output the model gets the beginning and the end, and a listener gets no more than a limit", async () => {
  let streamed = 0;
  const onOutput = (text: string) => {
    streamed += text.length;
  };
  const command = "echo begin; head -c 30000000 /dev/zero | tr '\\0' x; echo; echo end";
  const text = await new Sandbox().answer("run_shell_command", { command }, { onOutput });
  expect(text.length).toBeLessThan(30_200);
  expect(text.startsWith("begin\nxxx")).toBe(true);
  expect(text.endsWith("xxx\nend\n")).toBe(true);
  expect(text).toContain("[… 29970011 characters of the output are omitted …]");
  expect(streamed).toBeLessThan(1_000_100);
});

test("a command that takes too long is killed with its grandchildren, and what it printed is kept", async () => {
  const sandbox = new Sandbox();
  const command = "echo started; (sh -c 'echo $$ > pid; while :; do sleep 1; done') & wait";
  const result = await sandbox.call("run_shell_command", { command, timeout: 3_000 });
  expect(result).toMatchObject({
    llmContent:
      "The command took longer than 3000 ms and was killed with its process group. Its output until then:\nstarted\n",
    error: { type: "execution_failed" },
    metadata: { timedOut: true },
  });
  await eventually(() => !isAlive(sandbox));
});

test("a command that ignores SIGTERM is killed all the same", async () => {
  const sandbox = new Sandbox();
  await run(sandbox, "trap '' TERM; echo $$ > pid; while :; do sleep 1; done", { timeout: 3_000 });
  await eventually(() => !isAlive(sandbox), 20_000);
});

test("a cancelled command is killed, and the engine records the call as cancelled", async () => {
  const sandbox = new Sandbox();
  const controller = new AbortController();
  const onOutput = () => controller.abort();
  const { signal } = controller;
  const tool = toolNamed("run_shell_command");
  const config = new SettingsConfig({ workingDir: sandbox.root, homeDir: sandbox.dir, systemFile: "/nowhere" });
  onTestFinished(() => config.getHookSystem()?.dispose());
  const input = { command: "echo $$ > pid; echo started; while :; do sleep 1; done" };
  const execute = () => tool.execute(input, sandbox.context({ onOutput, signal }));
  const result = await executeToolWithHooks(config, tool.name, input, execute, { signal });
  expect(result).toMatchObject({ error: { type: "cancelled" }, stop: { reason: "Cancelled while the tool ran" } });
  await eventually(() => !isAlive(sandbox));
});

test("a command that was cancelled before it began is not started", async () => {
  const sandbox = new Sandbox();
  const result = await sandbox.call("run_shell_command", { command: "touch made" }, { signal: AbortSignal.abort() });
  expect(result.error?.message).toBe("This operation was aborted");
  expect(existsSync(sandbox.path("made"))).toBe(false);
});

test("what a command leaves in the background is said, and not waited for", async () => {
  const sandbox = new Sandbox();
  const result = await run(
    sandbox,
    "(i=0; while [ $i -lt 100 ] && ! [ -e done ]; do sleep 0.05; i=$((i + 1)); done) & echo started",
  );
  sandbox.write("done", "");
  expect(result.llmContent).toBe(
    "started\n\nIt left processes running in the background; their further output is not captured.",
  );
});

test("a person who is asked sees the command whole, its folder, and a title of one line", async () => {
  const sandbox = new Sandbox();
  mkdirSync(sandbox.path("sub"));
  const command = `echo one\n${"x".repeat(100)}`;
  const input = { command, dir_path: "sub", description: "Prints." };
  expect(await toolNamed("run_shell_command").describe(input, sandbox.context())).toEqual({
    type: "exec",
    title: `Run echo one\\n${"x".repeat(69)}…?`,
    command,
    rootCommand: `echo, ${"x".repeat(100)}`,
    dir: sandbox.path("sub"),
    description: "Prints.",
  });
});

/** The process whose number the command wrote down. */
function isAlive(sandbox: Sandbox): boolean {
  const pid = Number(readFileSync(sandbox.path("pid"), "utf8"));
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch {
    return false;
  }
}

function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && / Z /.test(readFileSync(file, "utf8"));
}
