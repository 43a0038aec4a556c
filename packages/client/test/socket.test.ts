import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { answerFrame } from "../../cli/src/daemon/wire.ts";
import { hasCompiler, isThere } from "./support/compiler.ts";
import { asText, Installation, REFUSED } from "./support/installation.ts";

const OTHER = 12345;
const isRoot = isThere("the right to give files away (root)", process.getuid?.() === 0, { neededInCi: false });
const LONG = `home/${"long-name/".repeat(10)}home`;

/** A daemon on the usual socket that must not be asked. */
async function wrong(installation = new Installation(), path = installation.socket) {
  const { requests } = await installation.serve((_, socket) => {
    socket.end(answerFrame({ exitCode: 0, stdout: "of somebody else", stderr: "" }));
  }, path);
  return { installation, requests };
}

describe.runIf(hasCompiler)("the client does not ask", () => {
  test.each([0o770, 0o707, 0o777, 0o1777])("if others may write into the run folder (mode %o)", async (mode) => {
    const { installation, requests } = await wrong();
    chmodSync(installation.run, mode);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toBe("other users may write into the folder `run`");
  });

  test("if the run folder is a link", async () => {
    const { installation, requests } = await wrong();
    renameSync(installation.run, `${installation.run}.real`);
    symlinkSync(`${installation.run}.real`, installation.run);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
  });

  test("if there is a file instead of a socket, or a link to one", async () => {
    const { installation, requests } = await wrong();
    renameSync(installation.socket, join(installation.dir, "moved.sock"));
    writeFileSync(installation.socket, "");
    expect(asText(await installation.call())).toEqual(REFUSED);
    installation.removeRun("daemon.sock");
    symlinkSync(join(installation.dir, "moved.sock"), installation.socket);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toBe("the socket belongs to another user, or is not a socket");
  });

  test.runIf(isRoot)("if the socket belongs to another user", async () => {
    const { installation, requests } = await wrong();
    chownSync(installation.socket, OTHER, OTHER);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toBe("the socket belongs to another user, or is not a socket");
  });

  test.runIf(isRoot)("if the run folder belongs to another user", async () => {
    const { installation, requests } = await wrong();
    chownSync(installation.run, OTHER, OTHER);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.missed()).toEqual([]);
  });

  test.runIf(isRoot)("if another user listens on a socket of ours", async () => {
    const { installation, requests } = await wrong();
    for (const path of [installation.run, installation.socket, join(installation.run, "closed")]) {
      chownSync(path, OTHER, OTHER);
    }
    expect([asText(await installation.call({ uid: OTHER })), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toBe("another user listens on the socket");
  });

  test.runIf(isRoot)("if the program to start belongs to another user or others may write it", async () => {
    const installation = new Installation();
    const script = `/bin/sh\0${join(installation.dir, "never.sh")}\0`;
    installation.writeRun("daemon.start", script);
    chownSync(join(installation.run, "daemon.start"), OTHER, OTHER);
    expect(asText(await installation.call())).toEqual(REFUSED);
    installation.removeRun("daemon.start");
    installation.writeRun("daemon.start", script);
    chmodSync(join(installation.run, "daemon.start"), 0o620);
    expect(asText(await installation.call())).toEqual(REFUSED);
    const why = "no daemon runs, and `run/daemon.start` is missing or not ours";
    expect(installation.missed().map((line) => line.why)).toEqual([why, why]);
  });
});

describe.runIf(hasCompiler)("where the path of the socket would be too long", () => {
  const longSocket = (mode = 0o700) => {
    const installation = new Installation({ folder: LONG });
    const folder = join(installation.dir.slice(0, -LONG.length), "s");
    mkdirSync(folder);
    chmodSync(folder, mode);
    return { installation, path: join(folder, "daemon.sock") };
  };

  test("it is read from `run/socket`", async () => {
    const { installation, path } = longSocket();
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 9, stdout: "", stderr: "" })), path);
    for (const end of ["\n", ""]) {
      installation.writeRun("socket", path + end);
      expect((await installation.call()).code).toBe(9);
    }
  });

  test("and is not ours, nothing is asked; and is not said, no daemon has run yet", async () => {
    const installation = new Installation({ folder: LONG });
    installation.writeRun("socket", "/tmp/x/s");
    chmodSync(join(installation.run, "socket"), 0o666);
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toBe("the path of the socket is too long, and `run/socket` is not ours");
    installation.removeRun("socket");
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toBe("no daemon runs, and `run/daemon.start` is missing or not ours");
  });

  test.each([0o755, 0o777, 0o750, 0o701])("its folder must be this user's alone, not %o", async (mode) => {
    const { installation, path } = longSocket(mode);
    const { requests } = await wrong(installation, path);
    installation.writeRun("socket", path);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toBe("the folder of the socket is not one that only this user may enter");
  });

  test("and its folder is gone, no daemon runs", async () => {
    const { installation, path } = longSocket();
    installation.writeRun("socket", path);
    rmSync(dirname(path), { recursive: true });
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toBe("no daemon runs, and `run/daemon.start` is missing or not ours");
  });

  test.runIf(isRoot)("its folder must be this user's, not another's", async () => {
    const { installation, path } = longSocket();
    const { requests } = await wrong(installation, path);
    installation.writeRun("socket", path);
    chownSync(dirname(path), OTHER, OTHER);
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
  });

  test.each<[string, (path: string) => string | Buffer]>([
    ["nothing", () => ""],
    ["an empty line", () => "\n"],
    ["a relative path", (path) => basename(path)],
    ["a file in the root", () => "/daemon.sock"],
    ["two lines", (path) => `${path}\n${path}\n`],
    ["a NUL", (path) => `${path}\0.sock`],
    ["100 bytes", (path) => path.padEnd(100, "k")],
    ["more than fits", (path) => path.padEnd(5000, "k")],
  ])("and `run/socket` has %s, nothing is asked", async (_, content) => {
    const { installation, path } = longSocket();
    const { requests } = await wrong(installation, path);
    installation.writeRun("socket", content(path));
    expect([asText(await installation.call()), requests]).toEqual([REFUSED, []]);
    expect(installation.why()).toContain("`run/socket` does not have");
  });

  test("a path of 99 bytes is used directly", async () => {
    const short = new Installation();
    const missing = 99 - short.socket.length;
    const installation = new Installation({ folder: `home${"x".repeat(missing)}` });
    expect(installation.socket.length).toBe(99);
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 9, stdout: "", stderr: "" })));
    expect((await installation.call()).code).toBe(9);
  });
});
