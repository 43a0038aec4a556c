import { spawn } from "node:child_process";
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { answerFrame, type HookRequest, RequestReader, waitFrame } from "../../src/daemon/wire.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { BINARY, type Ended, endOf, Machine } from "../support/machine.ts";

type Behaviour = (socket: Socket) => void;

/** A home with the client in Node, and a daemon that does this with each call. */
async function installed(behaviour: Behaviour, closed = "BeforeTool\t/\n") {
  const machine = new Machine();
  expect(await machine.run(["install", "claude", "--client", "node", "--yes"])).toMatchObject({ code: 0 });
  const requests: HookRequest[] = [];
  const server = createServer((socket) => {
    const reader = new RequestReader();
    socket
      .on("error", () => {})
      .on("data", (chunk) => {
        const request = reader.push(chunk);
        if (request === undefined) return;
        requests.push(request);
        behaviour(socket);
      });
  });
  await new Promise<void>((resolve) => server.listen(join(machine.home, ".hookline/run/daemon.sock"), resolve));
  onTestFinished(() => {
    server.close();
  });
  writeFileSync(join(machine.home, ".hookline/run/closed"), closed, { mode: 0o600 });
  return { machine, requests };
}

function call(machine: Machine, { event = "PreToolUse", deadlineMs = 30_000, env = {} } = {}): Promise<Ended> {
  const args = ["claude", event, "--deadline", String(deadlineMs), "--ask-deadline", "60000"];
  const client = join(machine.home, ".hookline/bin/hookline-hook");
  const child = spawn(client, args, { cwd: machine.project, env: machine.env(env) });
  child.stdin.on("error", () => {});
  child.stdin.end('{"tool_name":"Bash"}');
  return endOf(child);
}

const REFUSED = { code: 0, stdout: expect.stringContaining('"permissionDecision":"deny"'), stderr: "" };
const SILENT = { code: 0, stdout: "", stderr: "" };

test("where there is no native client, a script in Node asks the daemon, waits for a person, and prints the answer", async () => {
  const { machine, requests } = await installed((socket) => {
    socket.write(waitFrame());
    const answer = answerFrame({ exitCode: 2, stdout: "é out", stderr: "no\n" });
    socket.write(answer.subarray(0, 7));
    setTimeout(() => socket.end(answer.subarray(7)), 50);
  });
  const env = {
    GUARD: "on\n",
    HOOKLINE_STATE_DIR: "planted",
    HOME: machine.project,
    NODE_OPTIONS: "--require /planted.js",
  };
  expect(await call(machine, { env })).toEqual({ code: 2, stdout: "é out", stderr: "no\n" });
  expect(requests).toMatchObject([
    {
      host: "claude",
      event: "PreToolUse",
      cwd: machine.project,
      deadlineMs: 30_000,
      askDeadlineMs: 60_000,
      trustProject: false,
    },
  ]);
  expect(requests[0]?.env.GUARD).toBe("on\n");
  expect(requests[0]?.env).not.toHaveProperty("HOOKLINE_STATE_DIR");
  expect(requests[0]?.env).toMatchObject({ NODE_OPTIONS: "--require /planted.js", HOME: machine.project });
  expect(requests[0]?.payload.toString()).toBe('{"tool_name":"Bash"}');
});

test.each<[string, Behaviour, string]>([
  ["does not answer", () => {}, "before the deadline"],
  [
    "ends within its answer",
    (socket) => socket.end(Buffer.from("a\0\0\0\u0020")),
    "the daemon ended before it had answered",
  ],
  ["sends something else", (socket) => socket.end("HTTP/1.1 200"), "the daemon sent something that is not an answer"],
])(
  "a daemon that %s permits nothing: the agent's own no, and a line for the journal",
  async (_what, behaviour, why) => {
    const { machine } = await installed(behaviour);
    expect(await call(machine, { deadlineMs: 1_500 })).toEqual(REFUSED);
    expect(machine.read("home/.hookline/run/missed")).toMatch(/^\d+\tclaude\tPreToolUse\trefused\t/);
    expect(machine.read("home/.hookline/run/missed")).toContain(why);
  },
);

test("without an answer the call passes where no guard is, and the end of a turn always does", async () => {
  const { machine } = await installed((socket) => socket.destroy(), "BeforeTool\t/elsewhere\nAfterAgent\t/\n");
  expect(await call(machine)).toEqual(SILENT);
  expect(await call(machine, { event: "Stop" })).toEqual(SILENT);
  expect(
    machine
      .read("home/.hookline/run/missed")
      .split("\n")
      .map((line) => line.split("\t")[3]),
  ).toEqual(["passed", "passed", undefined]);
});

test("a daemon that ends while a person is being asked has not been told yes, whatever is closed", async () => {
  const { machine } = await installed((socket) => socket.end(waitFrame()), "");
  expect(await call(machine)).toEqual(REFUSED);
});

test("it starts the daemon", async () => {
  const machine = new Machine();
  mkdirSync(join(machine.home, ".hookline"));
  onTestFinished(async () => {
    await endDaemon(machine.home);
  });
  const { stdout } = await machine.run(["install", "claude", "--client", "node", "--yes"]);
  expect(stdout).toContain("! The client is a Node script here");
  expect(await call(machine)).toEqual(SILENT);
  expect(machine.has("home/.hookline/run/missed")).toBe(false);
});

test.each<[string, (machine: Machine) => string, string]>([
  ["Node", () => process.execPath, "Node is gone from "],
  ["hookline", () => BINARY, "hookline is gone from "],
])("without %s, `run/closed` decides", async (_what, path, why) => {
  const { machine } = await installed(() => {}, "BeforeTool\t/elsewhere\n");
  const client = "home/.hookline/bin/hookline-hook";
  machine.write({ [client]: machine.read(client).replaceAll(`'${realpathSync(path(machine))}'`, "'/gone'") });
  expect(await call(machine)).toEqual(SILENT);
  machine.write({ "home/.hookline/run/closed": "BeforeTool\t/\n" });
  expect(await call(machine)).toEqual(REFUSED);
  expect(machine.read("home/.hookline/run/missed")).toContain(why);
});

test("it says why the daemon does not start, and does not wait for the deadline", async () => {
  const machine = new Machine();
  expect(await machine.run(["install", "claude", "--client", "node", "--yes"])).toMatchObject({ code: 0 });
  mkdirSync(join(machine.home, ".hookline/run/daemon.lock"));
  expect(await call(machine, { deadlineMs: 86_400_000 })).toEqual(REFUSED);
  expect(machine.read("home/.hookline/run/missed")).toContain("The daemon ended while it started (exit code 1).");
});
