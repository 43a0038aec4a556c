import { randomBytes } from "node:crypto";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerFrame, RequestReader, waitFrame } from "../../cli/src/daemon/wire.ts";
import { hasCompiler, hasPython } from "./support/compiler.ts";
import { asText, endOf, Installation, pause } from "./support/installation.ts";

const OK = answerFrame({ exitCode: 0, stdout: "answer", stderr: "" });

describe.runIf(hasCompiler)("an answer of the daemon", () => {
  test.each([
    ["nothing", { exitCode: 0, stdout: "", stderr: "" }],
    ["text", { exitCode: 0, stdout: '{"decision":"block"}\n', stderr: "" }],
    ["a reason on stderr", { exitCode: 2, stdout: "", stderr: "Not this file.\n" }],
    ["the highest exit code", { exitCode: 255, stdout: "a", stderr: "b" }],
    ["binary data", { exitCode: 1, stdout: Buffer.from([0, 10, 255, 0]), stderr: Buffer.from([255, 0]) }],
    ["megabytes of it", { exitCode: 3, stdout: randomBytes(2 ** 20), stderr: randomBytes(2 ** 20 + 1) }],
  ])("passes through byte for byte: %s", async (_, answer) => {
    const installation = new Installation();
    await installation.serve((_request, socket) => socket.end(answerFrame(answer)));
    const { code, stdout, stderr } = await installation.call();
    expect(code).toBe(answer.exitCode);
    expect(stdout.equals(Buffer.from(answer.stdout))).toBe(true);
    expect(stderr.equals(Buffer.from(answer.stderr))).toBe(true);
    expect(installation.missed()).toEqual([]);
  });

  test("passes through `sh -c`, as hosts start it", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 2, stdout: "", stderr: "no" })));
    const child = installation.start({}, ["sh", "-c", `'${installation.client}' "$@"`, "sh"]);
    child.stdin?.end("{}");
    expect(asText(await endOf(child))).toEqual({ code: 2, signal: null, stdout: "", stderr: "no" });
  });

  test("is printed as soon as it is whole, even if the daemon keeps the connection", async () => {
    const installation = new Installation();
    await installation.serve((_, socket) => socket.write(OK));
    expect(asText(await installation.call())).toMatchObject({ code: 0, stdout: "answer" });
  });

  test("may come in single bytes", async () => {
    const installation = new Installation();
    await installation.serve(async (_, socket) => {
      socket.setNoDelay();
      for (const byte of Buffer.concat([waitFrame(), OK])) {
        socket.write(Buffer.from([byte]));
        await pause(1);
      }
    });
    expect(asText(await installation.call())).toMatchObject({ code: 0, stdout: "answer" });
  });

  test("is waited for until the second deadline while a person is asked", async () => {
    const installation = new Installation();
    await installation.serve(async (_, socket) => {
      socket.write(waitFrame());
      await pause(2500);
      socket.end(OK);
    });
    const ended = await installation.call({ deadlineMs: 1500, askDeadlineMs: 60_000 });
    expect(asText(ended)).toMatchObject({ code: 0, stdout: "answer" });
  });

  test("is never waited for less because a person is asked", async () => {
    const installation = new Installation();
    await installation.serve(async (_, socket) => {
      socket.write(waitFrame());
      await pause(1000);
      socket.end(OK);
    });
    const ended = await installation.call({ deadlineMs: 60_000, askDeadlineMs: 300 });
    expect(asText(ended)).toMatchObject({ code: 0, stdout: "answer" });
  });

  test.runIf(hasPython)("reaches a host that reads slowly and a host whose pipe does not block", async () => {
    const installation = new Installation();
    const stdout = randomBytes(2 ** 20);
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 0, stdout, stderr: "" })));
    const nonBlocking = `exec python3 -I -c 'import os,sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])' "$@"`;
    for (const command of [[installation.client], ["sh", "-c", nonBlocking, "sh", installation.client]]) {
      const child = installation.start({}, command);
      child.stdin?.end("{}");
      child.stdout?.pause();
      await pause(300);
      const ended = endOf(child);
      child.stdout?.resume();
      expect((await ended).stdout.equals(stdout), command[0]).toBe(true);
    }
  });

  test("that nobody reads is no reason to hang or to die of SIGPIPE", async () => {
    const installation = new Installation();
    const stdout = randomBytes(2 ** 20);
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 7, stdout, stderr: "still here" })));
    const child = installation.start();
    child.stdout?.destroy();
    child.stdin?.end("{}");
    expect(asText(await endOf(child))).toMatchObject({ code: 7, signal: null, stderr: "still here" });
  });
});

describe.runIf(hasCompiler)("a request to the daemon", () => {
  test("has the command line, the real folder, the environment without HOOKLINE_*, and the payload", async () => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    const link = join(installation.dir, "link");
    symlinkSync(installation.project, link);
    await installation.call({
      host: "codex",
      event: "Stop",
      deadlineMs: 20_000,
      askDeadlineMs: 40_000,
      more: ["--trust-project"],
      cwd: link,
      env: { HOOKLINE_TRUST: "1", PATH: "/bin", HOME: "/lies", PWD: link, LINES: "a\nb", EMPTY: "" },
      stdin: '{"a":1}',
    });
    expect(requests).toEqual([
      {
        host: "codex",
        event: "Stop",
        cwd: installation.project,
        deadlineMs: leftOf(20_000),
        askDeadlineMs: leftOf(40_000),
        trustProject: true,
        env: { PATH: "/bin", HOME: "/lies", PWD: link, LINES: "a\nb", EMPTY: "" },
        payload: Buffer.from('{"a":1}'),
      },
    ]);
  });

  test("does not trust the project if it is not told to, and has the call of a host that the client does not know", async () => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    await installation.call({ host: "new-host", event: "NewEvent", stdin: "" });
    expect(requests).toMatchObject([
      { host: "new-host", event: "NewEvent", trustProject: false, payload: Buffer.alloc(0) },
    ]);
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 2 ** 20, 2 ** 26])("has a payload of %i bytes unchanged", async (bytes) => {
    const installation = new Installation();
    const stdin = randomBytes(bytes);
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    expect(asText(await installation.call({ stdin }))).toMatchObject({ code: 0, stdout: "answer" });
    expect(requests.map(({ payload }) => payload.equals(stdin))).toEqual([true]);
  });

  test("has what the host wrote before it died", async () => {
    const installation = new Installation();
    const { requests } = await installation.serve((_, socket) => socket.end(OK));
    const command = `printf '{"half' | '${installation.client}' "$@"`;
    await endOf(installation.start({}, ["sh", "-c", command, "sh"]));
    expect(requests.map(({ payload }) => payload.toString())).toEqual(['{"half']);
  });

  test.each([10, 2 ** 22])("of %i bytes is sent again if the daemon ended before it had read it", async (bytes) => {
    const installation = new Installation();
    let connections = 0;
    await installation.listen((socket) => {
      connections++;
      if (connections === 1) {
        setTimeout(() => socket.destroy(), 200);
        return;
      }
      const reader = new RequestReader();
      socket.resume().on("data", (chunk) => reader.push(chunk) && socket.end(OK));
    });
    const ended = await installation.call({ stdin: Buffer.alloc(bytes) });
    expect([ended.code, ended.stdout.toString(), connections]).toEqual([0, "answer", 2]);
  });

  test("of 64 clients at once: none is lost, and each gets its own answer", async () => {
    const installation = new Installation();
    await installation.serve((request, socket) =>
      socket.end(answerFrame({ exitCode: 0, stdout: request.payload, stderr: "" })),
    );
    const numbers = Array.from({ length: 64 }, (_, number) => `${number}`);
    const ended = await Promise.all(numbers.map((stdin) => installation.call({ stdin })));
    expect(ended.map(({ code, stdout }) => [code, stdout.toString()])).toEqual(numbers.map((number) => [0, number]));
  });
});

/** What is left of a deadline once the client has started. */
function leftOf(ms: number) {
  return expect.toSatisfy((left: number) => left <= ms && left > ms - 10_000, `a little less than ${ms}`);
}
