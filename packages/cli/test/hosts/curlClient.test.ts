import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HttpDoor } from "../../src/daemon/httpDoor.ts";
import type { HookAnswer, HookRequest } from "../../src/daemon/wire.ts";
import { curl } from "../../src/hosts/clients/curl.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { type Ended, endOf, Machine } from "../support/machine.ts";

if (curl.lacks() !== undefined && process.env.CI === "true") throw new Error(`CI needs curl: ${curl.lacks()}`);
if (curl.lacks() !== undefined)
  process.stderr.write(`NOTICE: ${curl.lacks()}; the tests that need curl are skipped.\n`);
const withCurl = test.runIf(curl.lacks() === undefined);

async function installed(serve: (socket: Socket) => void, closed = "BeforeTool\t/\n"): Promise<Machine> {
  const machine = new Machine();
  expect(await machine.run(["install", "claude", "--client", "curl", "--yes"])).toMatchObject({ code: 0 });
  const server = createServer((socket) => serve(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(join(machine.home, ".hookline/run/daemon.sock"), resolve));
  onTestFinished(() => {
    server.close();
  });
  writeFileSync(join(machine.home, ".hookline/run/closed"), closed, { mode: 0o600 });
  return machine;
}

/** A connection as the daemon serves it, with answers of the test's. */
function door(answer: ConstructorParameters<typeof HttpDoor>[0]) {
  const http = new HttpDoor(answer);
  return (socket: Socket) => void socket.once("data", (first: Buffer) => http.serve(socket, first));
}

interface Call {
  readonly event?: string;
  readonly deadlineMs?: number;
  readonly askDeadlineMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string | Buffer;
  /** Undefined: the program itself. */
  readonly shell?: readonly [string, ...string[]];
}

function call(machine: Machine, given: Call = {}): Promise<Ended> {
  const { event = "PreToolUse", deadlineMs = 30_000, askDeadlineMs = 60_000, env = {}, cwd, stdin = "{}" } = given;
  const args = ["claude", event, "--deadline", String(deadlineMs), "--ask-deadline", String(askDeadlineMs)];
  const client = join(machine.home, ".hookline/bin/hookline-hook");
  const [program = client, ...before] = given.shell === undefined ? [] : [...given.shell, client];
  const child = spawn(program, [...before, ...args], { cwd: cwd ?? machine.project, env: machine.env(env) });
  child.stdin.on("error", () => {}).end(stdin);
  return endOf(child);
}

const REFUSED = { code: 0, stdout: expect.stringContaining('"permissionDecision":"deny"'), stderr: "" };
const SILENT = { code: 0, stdout: "", stderr: "" };
const OK: HookAnswer = { exitCode: 0, stdout: "answer", stderr: "" };
const reasonsIn = (machine: Machine) =>
  machine
    .read("home/.hookline/run/missed")
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split("\t").slice(1, 5));

withCurl("a shell script with curl asks the daemon and prints the answer byte for byte", async () => {
  const requests: HookRequest[] = [];
  const answer = async (request: HookRequest) => {
    requests.push(request);
    return { exitCode: 2, stdout: "é out\n\n", stderr: "no\n" };
  };
  const machine = await installed(door(answer));
  const cwd = join(machine.project, "a folder\n");
  mkdirSync(cwd);
  const stdin = Buffer.concat([Buffer.from('{"a":"\0'), Buffer.from([0xff, 0xfe]), Buffer.alloc(3_000_000, "x")]);
  const env = { GUARD: "two\nlines", HOOKLINE_STATE_DIR: "planted", HOOKLINE_SOCKET: "/planted" };
  expect(await call(machine, { cwd, stdin, env })).toEqual({ code: 2, stdout: "é out\n\n", stderr: "no\n" });
  expect(requests).toMatchObject([{ host: "claude", event: "PreToolUse", cwd, trustProject: false }]);
  expect(requests[0]?.deadlineMs).toBeLessThanOrEqual(30_000);
  expect(requests[0]?.env).toMatchObject({ GUARD: "two\nlines", PATH: machine.env().PATH });
  expect(Object.keys(requests[0]?.env ?? {}).filter((name) => name.startsWith("HOOKLINE"))).toEqual([]);
  expect(requests[0]?.payload.equals(stdin)).toBe(true);
  expect(readdirSync(join(machine.home, ".hookline/run")).filter((name) => name.startsWith("call."))).toEqual([]);
});

withCurl("it waits for a person until the second deadline", async () => {
  const answer: ConstructorParameters<typeof HttpDoor>[0] = async (_, { onWait }) => {
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return OK;
  };
  const machine = await installed(door(answer));
  expect(await call(machine, { deadlineMs: 2_000 })).toEqual({ code: 0, stdout: "answer", stderr: "" });
  expect(await call(machine, { deadlineMs: 2_000, askDeadlineMs: 2_000 })).toEqual(REFUSED);
  expect(reasonsIn(machine)).toEqual([["claude", "PreToolUse", "refused", "no person answered before the deadline"]]);
});

withCurl("the daemon notices that a client is gone, also while a person is being asked", async () => {
  const gone: string[] = [];
  const answer: ConstructorParameters<typeof HttpDoor>[0] = ({ event }, { onWait, gone: signal }) => {
    if (event === "UserPromptSubmit") onWait();
    return new Promise((resolve) => {
      signal.addEventListener("abort", () => {
        gone.push(event);
        resolve(OK);
      });
    });
  };
  const machine = await installed(door(answer));
  await call(machine, { event: "PreToolUse", deadlineMs: 1_500 });
  await call(machine, { event: "UserPromptSubmit", deadlineMs: 1_500, askDeadlineMs: 1_600 });
  await expect.poll(() => gone).toEqual(["PreToolUse", "UserPromptSubmit"]);
});

const HTTP_OK =
  "HTTP/1.1 200 OK\r\nhookline-exit: 0\r\nhookline-stdout: 6\r\nhookline-stderr: 0\r\ncontent-length: 6\r\n\r\n";

test.runIf(curl.lacks() === undefined).each<[string, (socket: Socket) => void, string]>([
  ["does not answer", () => {}, "the daemon did not answer before the deadline"],
  ["ends without an answer", (socket) => socket.end(), "the daemon ended before it had answered"],
  ["ends within its answer", (socket) => socket.end(`${HTTP_OK}ans`), "the daemon ended before it had answered"],
  ["sends something else", (socket) => socket.end("a\0\0\0\u0020"), "the daemon sent something that is not an answer"],
  [
    "knows no such call",
    (socket) => socket.end("HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n"),
    "the daemon sent something that is not an answer",
  ],
  [
    "names no exit code",
    (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"),
    "the daemon sent something that is not an answer",
  ],
  [
    "sends a command as a number",
    (socket) => socket.end(`${HTTP_OK.replace("exit: 0", "exit: $(id)")}answer`),
    "the daemon sent something that is not an answer",
  ],
])("a daemon that %s permits nothing: the agent's own no, and a line for the journal", async (_what, serve, why) => {
  const machine = await installed((socket) => void socket.once("data", () => serve(socket)));
  expect(await call(machine, { deadlineMs: 2_000 })).toEqual(REFUSED);
  expect(reasonsIn(machine)).toEqual([["claude", "PreToolUse", "refused", why]]);
});

withCurl("a daemon that ends while a person is being asked has not been told yes, whatever is closed", async () => {
  const answer: ConstructorParameters<typeof HttpDoor>[0] = async (_, { onWait }) => {
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 200));
    throw new Error("it ends");
  };
  const machine = await installed(door(answer), "");
  expect(await call(machine)).toEqual(REFUSED);
  expect(await call(machine, { event: "Stop" })).toEqual(SILENT);
});

test.runIf(curl.lacks() === undefined).each<[string, (project: string) => string, boolean]>([
  ["it is empty", () => "", false],
  ["another event is closed", () => "AfterTool\t/\n", false],
  ["the folder is closed", (project) => `BeforeTool\t${project}\n`, true],
  ["a folder around it is closed", (project) => `AfterTool\t/\nBeforeTool\t${join(project, "..")}\n`, true],
  ["a folder whose name begins alike is closed", (project) => `BeforeTool\t${project.slice(0, -1)}\n`, false],
  ["a folder with a star is closed", () => "BeforeTool\t/*\n", false],
  ["a folder below it is closed", (project) => `BeforeTool\t${project}/sub\n`, false],
  ["the last line is torn", (project) => `AfterTool\t/\nAfterTool\t${project.slice(0, 5)}`, true],
  ["a line has no folder", () => "BeforeAgent\n", true],
  ["a line has a relative folder", () => "BeforeAgent\twork\n", true],
  ["a line has a folder with dots", () => "BeforeAgent\t/a/../b\n", true],
  ["there is an empty line", () => "\n", true],
])("without an answer, `run/closed` decides: %s", async (_what, closed, isRefused) => {
  const machine = await installed((socket) => socket.destroy(), "");
  writeFileSync(join(machine.home, ".hookline/run/closed"), closed(machine.project));
  expect(await call(machine, { deadlineMs: 5_000 })).toEqual(isRefused ? REFUSED : SILENT);
});

withCurl("neither the environment nor files of a repository change what it runs", async () => {
  const machine = await installed(door(async () => OK));
  const planted = join(machine.project, "bin");
  mkdirSync(planted);
  for (const name of ["curl", "cat", "rm", "env", "printf"]) {
    writeFileSync(join(planted, name), `#!/bin/sh\ntouch ${machine.project}/planted\n`, { mode: 0o755 });
  }
  writeFileSync(join(machine.project, ".curlrc"), `output = ${machine.project}/planted\n`);
  const env = {
    PATH: `${planted}:/usr/bin:/bin`,
    HOME: machine.project,
    CURL_HOME: machine.project,
    ENV: join(planted, "curl"),
    BASH_ENV: join(planted, "curl"),
    http_proxy: "http://127.0.0.1:9",
    ALL_PROXY: "http://127.0.0.1:9",
    HOOKLINE_CURL: join(planted, "curl"),
    IFS: "/o",
    "BASH_FUNC_printf%%": `() { touch ${machine.project}/planted; }`,
    "BASH_FUNC_is_own%%": `() { touch ${machine.project}/planted; }`,
  };
  expect(await call(machine, { env })).toEqual({ code: 0, stdout: "answer", stderr: "" });
  if (existsSync("/bin/bash")) {
    const shell = ["/bin/bash", "--posix"] as const;
    expect(await call(machine, { env, shell })).toEqual({ code: 0, stdout: "answer", stderr: "" });
  }
  expect(machine.has("project/planted")).toBe(false);
});

withCurl("it starts the daemon", async () => {
  const machine = new Machine();
  mkdirSync(join(machine.home, ".hookline"));
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const { stdout } = await machine.run(["install", "claude", "--client", "curl", "--yes"]);
  expect(stdout).toContain("! The client is a shell script with curl here");
  expect(await call(machine)).toEqual(SILENT);
  expect(machine.has("home/.hookline/run/missed")).toBe(false);
});

withCurl("if the daemon cannot be started, it decides at once, and says why", async () => {
  const machine = new Machine();
  expect(await machine.run(["install", "claude", "--client", "curl", "--yes"])).toMatchObject({ code: 0 });
  mkdirSync(join(machine.home, ".hookline/run/daemon.lock"));
  expect(await call(machine, { deadlineMs: 86_400_000 })).toEqual(REFUSED);
  const client = "home/.hookline/bin/hookline-hook";
  const script = machine.read(client);
  machine.write({ [client]: script.replaceAll(`'${realpathSync(process.execPath)}'`, "'/gone'") });
  expect(await call(machine, { deadlineMs: 86_400_000, askDeadlineMs: 86_400_000 })).toEqual(REFUSED);
  expect(reasonsIn(machine).map(([, , , why]) => why)).toEqual([
    "the daemon ended while it started; `hookline daemon run` shows why",
    "Node is gone from /gone; run `hookline install` again",
  ]);
});
