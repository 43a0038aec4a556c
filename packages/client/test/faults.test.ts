import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { answerFrame, waitFrame } from "../../cli/src/daemon/wire.ts";
import { hasCompiler, hasPython } from "./support/compiler.ts";
import {
  asText,
  type Behaviour,
  type CallOptions,
  endOf,
  Installation,
  PASSED,
  pause,
  REFUSED,
} from "./support/installation.ts";

const OK = answerFrame({ exitCode: 0, stdout: "answer", stderr: "" });
const TORN = "the daemon's answer was torn";
const TOO_LATE = "the daemon did not answer before the deadline";
const RESET = "the daemon ended before it had read the call";

describe.runIf(hasCompiler)("without a whole answer, the host's own no:", () => {
  test("no daemon, and nothing to start one with", async () => {
    const installation = new Installation();
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.missed()).toEqual([
      {
        outcome: "refused",
        why: "no daemon runs, and `run/daemon.start` is missing or not ours",
        where: ["claude", "PreToolUse", installation.project],
      },
    ]);
  });

  test("the socket of a daemon that was killed", async () => {
    const installation = new Installation();
    const listen = `require("node:net").createServer().listen(process.argv[1], () => console.log("ready"))`;
    const daemon = spawn(process.execPath, ["-e", listen, installation.socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(daemon.stdout, "data");
    daemon.kill("SIGKILL");
    await once(daemon, "exit");
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toContain("no daemon runs");
  });

  test.each<[string, Behaviour, string]>([
    ["the daemon is gone before it answers", (_, socket) => socket.end(), TORN],
    ["after a wait frame", (_, socket) => socket.end(waitFrame()), TORN],
    ["after half of an answer", (_, socket) => socket.end(OK.subarray(0, OK.length - 3)), TORN],
    ["it drops the connection", (_, socket) => socket.destroy(), TORN],
    ["a second answer follows", (_, socket) => socket.end(Buffer.concat([OK, OK])), TORN],
    ["a byte follows", (_, socket) => socket.end(Buffer.concat([OK, Buffer.from("a")])), TORN],
    ["a wait frame follows", (_, socket) => socket.end(Buffer.concat([OK, waitFrame()])), TORN],
    ["a frame of another kind", (_, socket) => socket.end(Buffer.from("x\0\0\0\0")), TORN],
    ["another protocol", (_, socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"), TORN],
    ["a wait frame with a body", (_, socket) => socket.end(Buffer.from("w\0\0\0\x01x")), TORN],
    ["an answer without an exit code", (_, socket) => socket.end(Buffer.from("a\0\0\0\0")), TORN],
    ["an answer without the length of stdout", (_, socket) => socket.end(Buffer.from("a\0\0\0\x04\0\0\0\0")), TORN],
    ["stdout longer than the answer", (_, socket) => socket.end(Buffer.from("a\0\0\0\x05\0\0\0\0\x01")), TORN],
    ["an answer over 64 MB", (_, socket) => socket.write(Buffer.from("a\x04\0\0\x01\0\0\0\0\0")), TORN],
    ["wait frames without end", (_, socket) => socket.write(Buffer.alloc(5 * 20_000, waitFrame())), TORN],
  ])("%s", async (_, behaviour, why) => {
    const installation = new Installation();
    await installation.serve(behaviour);
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toBe(why);
  });

  test.each<[string, Behaviour]>([
    ["ends", (_, socket) => socket.end(waitFrame())],
    ["is silent until the second deadline", (_, socket) => socket.write(waitFrame())],
  ])(
    "a daemon that %s while a person is being asked has not been told yes, whatever is closed",
    async (_, behaviour) => {
      const installation = new Installation();
      installation.writeRun("closed", "");
      await installation.serve(behaviour);
      expect(asText(await installation.call({ deadlineMs: 300, askDeadlineMs: 600 }))).toEqual(REFUSED);
      expect(asText(await installation.call({ event: "Stop", deadlineMs: 300, askDeadlineMs: 600 }))).toEqual(PASSED);
    },
  );

  test("the answer is torn anywhere", async () => {
    const bytes = Buffer.concat([waitFrame(), answerFrame({ exitCode: 0, stdout: "to stdout", stderr: "to stderr" })]);
    const installation = new Installation();
    await installation.serve((request, socket) => socket.end(bytes.subarray(0, Number(request.payload))));
    const cuts = Array.from(bytes, (_, cut) => cut);
    const ended = await Promise.all(cuts.map((cut) => installation.call({ stdin: `${cut}` })));
    expect(ended.map(asText)).toEqual(cuts.map(() => REFUSED));
    const whole = await installation.call({ stdin: `${bytes.length}` });
    expect(asText(whole)).toEqual({ code: 0, signal: null, stdout: "to stdout", stderr: "to stderr" });
  });

  test("the answer comes after the deadline, or never", async () => {
    const installation = new Installation();
    const late = async (socket: Socket) => {
      await pause(3000);
      socket.end(OK);
    };
    await installation.serve((_, socket) => void late(socket));
    expect(asText(await installation.call({ deadlineMs: 500 }))).toEqual(REFUSED);
    expect(installation.why()).toBe(TOO_LATE);
  });

  test("a person does not decide before the second deadline", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.write(waitFrame()));
    expect(asText(await installation.call({ deadlineMs: 1000, askDeadlineMs: 1500 }))).toEqual(REFUSED);
    expect(installation.why()).toBe(TOO_LATE);
  });

  test.runIf(hasPython)("nobody accepts the connection", async () => {
    const installation = new Installation();
    const listen = `import socket,sys,time; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(0); print("ready",flush=True); time.sleep(60)`;
    const daemon = spawn("python3", ["-I", "-c", listen, installation.socket], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(daemon.stdout, "data");
    const calls = Array.from({ length: 4 }, () => installation.call({ deadlineMs: 600 }));
    expect((await Promise.all(calls)).map(asText)).toEqual(calls.map(() => REFUSED));
    daemon.kill("SIGKILL");
  });

  test("a daemon that ends before it has read the call is asked once more, and no more", async () => {
    const installation = new Installation();
    let connections = 0;
    await installation.listen((socket) => {
      connections++;
      socket.destroy();
    });
    expect(asText(await installation.call({ stdin: Buffer.alloc(2 ** 22) }))).toEqual(REFUSED);
    expect([connections, installation.why()]).toEqual([2, RESET]);
  });

  test("64 MB and a byte", async () => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    expect(asText(await installation.call({ stdin: Buffer.alloc(2 ** 26 + 1) }))).toEqual(REFUSED);
    expect([requests, installation.why()]).toEqual([[], "the payload is larger than 64 MB"]);
  });

  test.each([
    ["closed", "<&-", "standard input is closed"],
    ["a folder", "< .", "standard input cannot be read"],
    ["only for writing", "0> out", "standard input cannot be read"],
    ["without an end", "< /dev/zero", "the payload is larger than 64 MB"],
  ])("standard input is %s", async (_, redirection, why) => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    const child = installation.start({}, ["sh", "-c", `'${installation.client}' "$@" ${redirection}`, "sh"]);
    child.stdin?.end();
    expect(asText(await endOf(child))).toEqual(REFUSED);
    expect([requests, installation.why()]).toEqual([[], why]);
  });

  test("the host keeps standard input open", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.end(OK));
    const child = installation.start({ deadlineMs: 400 });
    child.stdin?.write("{");
    expect(asText(await endOf(child))).toEqual(REFUSED);
    expect(installation.why()).toBe("the payload did not end before the deadline");
  });

  test("stdout and stderr are closed: only the exit code is left, and nothing gets into the socket", async () => {
    const installation = new Installation();
    const bytes: Buffer[] = [];
    await installation.listen((socket) => {
      socket.resume().on("data", (chunk) => bytes.push(chunk));
      socket.once("data", () => socket.end(answerFrame({ exitCode: 5, stdout: "SECRET", stderr: "SECRET" })));
    });
    const child = installation.start({}, ["sh", "-c", `'${installation.client}' "$@" >&- 2>&-`, "sh"]);
    child.stdin?.end("{}");
    expect(asText(await endOf(child))).toEqual({ code: 5, signal: null, stdout: "", stderr: "" });
    expect(Buffer.concat(bytes).includes("SECRET")).toBe(false);
  });

  test.each<[string, CallOptions]>([
    ["an option that it does not know", { more: ["--colour"] }],
    ["an option without a value", { more: ["--deadline"] }],
    ["a deadline that is not a number", { more: ["--deadline", "5s"] }],
    ["a negative deadline", { more: ["--deadline", "-1"] }],
    ["a deadline of years", { more: ["--deadline", "99999999999999999999"] }],
    ["an empty deadline", { more: ["--ask-deadline", ""] }],
  ])("%s", async (_, options) => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    expect(asText(await installation.call(options))).toEqual(REFUSED);
    expect([requests, installation.why()]).toEqual([[], expect.stringContaining("the command line has")]);
  });

  test("the working folder was removed", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.end(OK));
    const command = `mkdir gone && cd gone && rmdir ../gone && exec '${installation.client}' "$@"`;
    const child = installation.start({}, ["sh", "-c", command, "sh"]);
    child.stdin?.end("{}");
    expect(asText(await endOf(child))).toEqual(REFUSED);
    expect(installation.why()).toBe("the working folder has no path");
  });

  test("an environment over 1 MB", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.end(OK));
    const env = Object.fromEntries(Array.from({ length: 12 }, (_, number) => [`V${number}`, "x".repeat(100_000)]));
    expect(asText(await installation.call({ env }))).toEqual(REFUSED);
    expect(installation.why()).toBe("the environment is larger than 1 MB");
  });
});

describe.runIf(hasCompiler)("a signal of the host", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("%s ends the client, with nothing printed", async (signal) => {
    const installation = new Installation();
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    await installation.serve((_, socket) => {
      socket.write(OK.subarray(0, OK.length - 1));
      asked();
    });
    const child = installation.start();
    child.stdin?.end("{}");
    await isAsked;
    child.kill(signal);
    expect(asText(await endOf(child))).toEqual({ code: null, signal, stdout: "", stderr: "" });
  });
});

test.runIf(hasCompiler)("a signal that comes while the answer is printed waits until all of it is out", async () => {
  const installation = new Installation();
  const stdout = Buffer.alloc(2 ** 20, "x");
  await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 4, stdout, stderr: "end" })));
  const child = installation.start();
  child.stdin?.end("{}");
  await once(child.stdout ?? child, "readable"); // not read, so that the rest does not fit into the pipe
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) child.kill(signal);
  await pause(100);
  const ended = await endOf(child);
  expect([ended.code, ended.signal, ended.stdout.equals(stdout), `${ended.stderr}`]).toEqual([4, null, true, "end"]);
});

test.runIf(hasCompiler)("without a host and an event, the client says how it is called", async () => {
  const installation = new Installation();
  const child = spawn(installation.client, ["claude"], { stdio: ["ignore", "pipe", "pipe"] });
  const { code, stderr } = asText(await endOf(child));
  expect([code, stderr]).toEqual([1, expect.stringContaining("Usage: hookline-hook <host> <event>")]);
  rmSync(installation.run, { recursive: true });
});
