import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ROOT } from "../../../../test/repository.ts";
import { hasCompiler, isThere } from "../../../client/test/support/compiler.ts";
import { programVersion } from "../../src/programVersion.ts";
import { BINARY, endOf } from "../support/machine.ts";
import { command, DaemonHome, decisionIn, NO_RM, on } from "./support/daemonHome.ts";

const GUARDED = on("BeforeTool", "run_shell_command", NO_RM);
const DENIED = { decision: "deny", reason: "no rm here" };
const PATIENCE = { timeout: 60_000, interval: 20 };
const SHORT_LIVED = fileURLToPath(new URL("support/shortLivedDaemon.mjs", import.meta.url));
const hasProc = isThere("/proc/net/unix", existsSync("/proc/net/unix"), { neededInCi: false });

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ended = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);

describe.runIf(hasCompiler)("a daemon with nothing to do", () => {
  async function shortLived(home: DaemonHome, idleMs: number): Promise<ChildProcess> {
    const child = spawn(process.execPath, [SHORT_LIVED, home.dir, String(idleMs)], { env: { HOME: home.dir } });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    return child;
  }

  test("ends, leaves no socket, and the next call starts another", async () => {
    const home = new DaemonHome(GUARDED);
    const daemon = await shortLived(home, 300);
    expect(await endOf(daemon)).toMatchObject({ code: 0, stderr: "" });
    expect(existsSync(home.socket)).toBe(false);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
  });

  test("counts from the end of the last call", async () => {
    const slow = command("slow", "sleep 1; echo slow >&2; exit 2");
    const home = new DaemonHome(on("BeforeTool", "*", slow));
    const daemon = await shortLived(home, 400);
    expect(decisionIn(await home.bash("ls"))).toEqual({ decision: "deny", reason: "slow" });
    expect(await endOf(daemon)).toMatchObject({ code: 0 });
    expect(home.missed()).toEqual([]);
  });
});

test.runIf(hasCompiler)("200 clients at once start one daemon, and each is answered", async () => {
  const home = new DaemonHome(GUARDED);
  const calls = Array.from({ length: 200 }, (_, index) =>
    home.bash(index % 2 === 0 ? "rm a" : "ls", { id: `${index}` }),
  );
  const decisions = (await Promise.all(calls)).map(decisionIn);
  expect(decisions.map(({ decision }) => decision)).toEqual(calls.map((_, at) => (at % 2 === 0 ? "deny" : undefined)));
  expect((await home.status()).hosts).toMatchObject([{ calls: 200 }]);
  expect(home.missed()).toEqual([]);
});

test.runIf(hasCompiler && hasProc)(
  "a daemon that is killed before it has read a call leaves it to the next one",
  async () => {
    const home = new DaemonHome(GUARDED);
    await home.bash("ls");
    const { pid } = await home.status();
    const connections = () => readFileSync("/proc/net/unix", "utf8").split(`${home.run}/`).length - 1;
    await vi.waitFor(() => expect(connections()).toBe(1), PATIENCE);
    process.kill(pid, "SIGSTOP");
    const call = home.bash("rm x");
    await vi.waitFor(() => expect(connections()).toBe(2), PATIENCE);
    process.kill(pid, "SIGKILL");
    expect(decisionIn(await call)).toEqual(DENIED);
    expect(home.missed()).toEqual([]);
  },
);

describe.runIf(hasCompiler)("a daemon of another version", () => {
  /** Another installation of hookline. The build writes the version into a script. */
  function otherProgram(): { readonly script: string; readonly setVersion: (version: string) => void } {
    const folder = mkdtempSync(join(tmpdir(), "hookline-other-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const ours = (path: string) => `${ROOT}packages/cli/${path}`;
    for (const name of ["bin", "bundle", "native"]) cpSync(ours(name), join(folder, name), { recursive: true });
    symlinkSync(`${ROOT}node_modules`, join(folder, "node_modules"));
    const quoted = new RegExp(`(["'\`])${programVersion().replaceAll(".", "[.]")}\\1`, "g");
    const versioned = readdirSync(ours("bundle"), { recursive: true, encoding: "utf8" })
      .filter((path) => /(program|front)\.cjs$/.test(path))
      .map((path) => `bundle/${path}`);
    const setVersion = (version: string) => {
      for (const path of [...versioned, "package.json"]) {
        rmSync(join(folder, path), { force: true });
        writeFileSync(join(folder, path), readFileSync(ours(path), "utf8").replaceAll(quoted, `"${version}"`));
      }
    };
    setVersion("0.0.1");
    return { script: join(folder, "bin/hookline.js"), setVersion };
  }

  const waits = command(
    "waits",
    'touch "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo waited >&2; exit 2',
  );

  /** A home whose daemon is the other program, with a call in progress. */
  async function serving(script: string) {
    const home = new DaemonHome(on("BeforeTool", "write_file", waits));
    rmSync(join(home.dir, ".cache")); // compiled code of ours
    home.writeRun("daemon.start", [process.execPath, script, "daemon", "run", "--home", home.dir, ""].join("\0"));
    const waiting = home.tool("Write", { file_path: "a", content: "" });
    await vi.waitFor(() => expect(existsSync(join(home.dir, "begun"))).toBe(true), PATIENCE);
    return { home, waiting, status: await home.status() };
  }

  test("finishes its calls and hands over, once its program was replaced", async () => {
    const other = otherProgram();
    const { home, waiting, status } = await serving(other.script);
    expect(status.version).toBe("0.0.1");
    other.setVersion("0.0.2");
    // It notices at the end of a connection, and the call after that starts the other.
    await vi.waitFor(async () => {
      await home.bash("ls");
      expect((await home.status()).version).toBe("0.0.2");
    }, PATIENCE);
    const next = await home.status();
    expect([next.version, next.pid === status.pid]).toEqual(["0.0.2", false]);
    home.write("go", "");
    expect(decisionIn(await waiting)).toEqual({ decision: "deny", reason: "waited" });
    await ended(status.pid);
    expect([(await home.status()).pid, home.missed()]).toEqual([next.pid, []]);
  });

  test("is replaced by `hookline daemon start`, and finishes its calls", async () => {
    const { home, waiting, status } = await serving(otherProgram().script);
    expect(status.version).toBe("0.0.1");
    const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
    const start = await endOf(spawn(process.execPath, [BINARY, "daemon", "start"], { cwd: home.project, env }));
    const next = await home.status();
    expect([start.code, next.version, next.pid === status.pid]).toEqual([0, programVersion(), false]);
    expect(start.stdout).toBe(`The daemon is running now (process ${next.pid}).\n`);
    home.write("go", "");
    expect(decisionIn(await waiting)).toEqual({ decision: "deny", reason: "waited" });
    await ended(status.pid);
    expect([(await home.status()).pid, home.missed()]).toEqual([next.pid, []]);
  });
});
