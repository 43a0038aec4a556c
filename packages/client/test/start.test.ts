import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { daemonEnvironment } from "../../cli/src/daemon/daemonEnvironment.ts";
import { takeDaemonLock } from "../../cli/src/daemon/daemonLock.ts";
import { answerFrame } from "../../cli/src/daemon/wire.ts";
import { hasCompiler } from "./support/compiler.ts";
import { asText, endOf, Installation, PASSED, pause, REFUSED } from "./support/installation.ts";

const DAEMON = fileURLToPath(new URL("fixtures/daemon.mjs", import.meta.url));
/** A start of Node takes long on a machine with much else to do. */
const PATIENT = { deadlineMs: 60_000, askDeadlineMs: 60_000 };

/** With a daemon that the client can start. */
function startable(mode: string): Installation {
  const installation = new Installation();
  installation.writeRun("daemon.start", startOf(installation, mode));
  onTestFinished(() => {
    for (const pid of started(installation)) kill(pid);
  });
  return installation;
}

const startOf = ({ run, dir }: Installation, mode: string) =>
  nulTerminated(process.execPath, DAEMON, mode, run, "--home", dir);
const nulTerminated = (...words: readonly string[]) => words.map((word) => `${word}\0`).join("");

function started(installation: Installation): readonly number[] {
  const file = join(installation.run, "started");
  return existsSync(file) ? readFileSync(file, "utf8").trimEnd().split("\n").map(Number) : [];
}

async function eventually(check: () => boolean): Promise<void> {
  for (let attempt = 0; !check(); attempt++) {
    if (attempt === 3000) throw new Error(`Not within a minute: ${check}`);
    await pause(20);
  }
}

function sessionOf(pid: string): number {
  return Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[3]);
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

describe.runIf(hasCompiler)("if no daemon listens, the client starts it", () => {
  test("and gets its answer", async () => {
    const installation = startable("serves");
    const { code, stdout } = asText(await installation.call({ ...PATIENT, stdin: "first" }));
    expect([code, JSON.parse(stdout).payload]).toEqual([0, "first"]);
    const again = asText(await installation.call({ ...PATIENT, stdin: "second" }));
    expect(JSON.parse(again.stdout)).toMatchObject({ payload: "second", pid: JSON.parse(stdout).pid });
    expect([started(installation).length, installation.missed()]).toEqual([1, []]);
  });

  test("although a killed daemon left its socket behind", async () => {
    const installation = startable("serves");
    const first = asText(await installation.call(PATIENT));
    kill(JSON.parse(first.stdout).pid);
    const second = asText(await installation.call(PATIENT));
    expect([second.code, started(installation).length]).toEqual([0, 2]);
  });

  test("with nothing of the host: no terminal, session, folder, descriptor or variable", async () => {
    const installation = startable("serves");
    const env = {
      PATH: `${installation.project}:/bin`,
      HOME: installation.project,
      TMPDIR: installation.project,
      HOOKLINE_STATE_DIR: "/lies",
      NODE_OPTIONS: "--require=/lies.js",
      NODE_EXTRA_CA_CERTS: "/lies.pem",
      NODE_PATH: "/lies",
      OPENSSL_CONF: "/lies.cnf",
      SSL_CERT_FILE: "/lies.pem",
      BASH_ENV: "/lies.sh",
      ENV: "/lies.sh",
      CURL_HOME: "/lies",
      LD_PRELOAD: "",
      DYLD_INSERT_LIBRARIES: "/lies.dylib",
    };
    const shell = `umask 000; trap '' INT HUP; exec 7>of-the-host; exec '${installation.client}' "$@"`;
    const child = installation.start({ ...PATIENT, env }, ["sh", "-c", shell, "sh"]);
    child.stdin?.end("{}");
    const { stdout } = asText(await endOf(child));
    const facts = JSON.parse(stdout);
    expect(facts).toMatchObject({
      argv: ["serves", installation.run, "--home", installation.dir],
      cwd: "/",
      umask: 0o077,
      streams: ["/dev/null", "/dev/null", "/dev/null"],
      inherited: [],
    });
    const { __CF_USER_TEXT_ENCODING: _, ...variables } = facts.env; // macOS gives it to every process
    expect(variables).toEqual(daemonEnvironment(installation.dir));
    expect(facts.parent).not.toBe(child.pid);
    expect([child.pid, sessionOf("self")]).not.toContain(facts.session);
  });

  test("once, however many clients there are", async () => {
    const installation = startable("serves");
    const numbers = Array.from({ length: 64 }, (_, number) => `${number}`);
    const ended = await Promise.all(numbers.map((stdin) => installation.call({ ...PATIENT, stdin })));
    expect(ended.map(({ code }) => code)).toEqual(numbers.map(() => 0));
    expect(ended.map(({ stdout }) => JSON.parse(stdout.toString()).payload)).toEqual(numbers);
    expect(started(installation).length).toBe(1);
  });

  test("and another client may do so, too, while the first still waits for its answer", async () => {
    const installation = startable("asks");
    const first = installation.start(PATIENT);
    first.stdin?.end("first");
    await eventually(() => existsSync(join(installation.run, "asked")));
    installation.writeRun("daemon.start", startOf(installation, "serves"));
    installation.removeRun("daemon.sock");
    const second = asText(await installation.call({ ...PATIENT, stdin: "second" }));
    expect(JSON.parse(second.stdout)).toMatchObject({ payload: "second" });
    first.kill("SIGKILL");
    await endOf(first);
  });

  test.each(["dies-before", "dies-during"])("and says the host's own no if it %s its answer", async (mode) => {
    const installation = startable(mode);
    expect(asText(await installation.call(PATIENT))).toEqual(REFUSED);
    expect(installation.why()).toBe("the daemon's answer was torn");
  });

  test("and prints its answer if it dies after it", async () => {
    const installation = startable("dies-after");
    const { code, stdout } = asText(await installation.call({ ...PATIENT, stdin: "last" }));
    expect([code, JSON.parse(stdout).payload]).toEqual([0, "last"]);
  });

  test("but does not wait for it longer than until the deadline", async () => {
    const installation = startable("hangs");
    expect(asText(await installation.call({ deadlineMs: 400 }))).toEqual(REFUSED);
    expect(installation.why()).toBe("no daemon listened before the deadline");
  });

  test.each<[string, (installation: Installation) => string, string]>([
    [
      "its interpreter is gone",
      ({ dir, run }) => nulTerminated(join(dir, "no-node"), DAEMON, "serves", run),
      "the daemon's program is gone from where `run/daemon.start` says; run `hookline install` again",
    ],
    [
      "it ends without listening",
      (installation) => startOf(installation, "ends"),
      "the daemon ended while it started; `hookline daemon run` shows why",
    ],
    [
      "its script is gone",
      ({ dir }) => nulTerminated(process.execPath, join(dir, "no-script.js")),
      "the daemon ended while it started; `hookline daemon run` shows why",
    ],
  ])("and decides alone at once if %s", async (_, content, why) => {
    const installation = startable("serves");
    installation.writeRun("daemon.start", content(installation));
    expect(asText(await installation.call({ deadlineMs: 86_400_000, askDeadlineMs: 86_400_000 }))).toEqual(REFUSED);
    installation.writeRun("closed", "");
    expect(asText(await installation.call({ deadlineMs: 86_400_000, askDeadlineMs: 86_400_000 }))).toEqual(PASSED);
    expect(installation.missed().map((line) => [line.outcome, line.why])).toEqual([
      ["refused", why],
      ["passed", why],
    ]);
  });

  test("and waits for the daemon that was first, if its own ended for that", async () => {
    const installation = startable("ends");
    const lock = await takeDaemonLock(join(installation.run, "daemon.lock"));
    const waiting = installation.call(PATIENT);
    await eventually(() => started(installation).length === 1);
    await pause(300);
    await installation.serve((_, socket) => socket.end(answerFrame({ exitCode: 7, stdout: "", stderr: "" })));
    expect((await waiting).code).toBe(7);
    lock?.release();
    expect([started(installation).length, installation.missed()]).toEqual([1, []]);
  });

  test.each([
    ["a relative interpreter", nulTerminated("node", "/bin/daemon.js")],
    ["a relative program", nulTerminated("/bin/node", "daemon.js")],
    ["no program", nulTerminated("/bin/node")],
    ["no NUL at the end", "/bin/node\0/bin/daemon.js"],
    ["nothing", ""],
    ["more than 32 words", nulTerminated(...Array.from({ length: 33 }, () => "/bin/true"))],
    ["more than 64 KB", nulTerminated("/bin/true", "/".repeat(2 ** 16))],
  ])("but not if `daemon.start` has %s", async (_, content) => {
    const installation = new Installation();
    installation.writeRun("daemon.start", content);
    expect(asText(await installation.call())).toEqual(REFUSED);
    expect(installation.why()).toBe("no daemon runs, and `run/daemon.start` is malformed");
  });
});
