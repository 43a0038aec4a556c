import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { hasCompiler } from "../../../client/test/support/compiler.ts";
import { askDaemon } from "../../src/daemon/askDaemon.ts";
import { daemonStatusSchema } from "../../src/daemon/controlSchemas.ts";
import { runFolder } from "../../src/daemon/runFolder.ts";
import { findSocket } from "../../src/daemon/socketPlace.ts";
import { CLIENTS } from "../../src/hosts/clients/index.ts";
import { endDaemon } from "../../src/hosts/endDaemon.ts";
import { BINARY, endOf } from "../support/machine.ts";
import { command, DaemonHome, decisionIn, NO_RM, on } from "./support/daemonHome.ts";

const GUARDED = on("BeforeTool", "run_shell_command", NO_RM);
const DENIED = { decision: "deny", reason: "no rm here" };
const PATIENCE = { timeout: 60_000, interval: 20 };
/** The path of its socket would be too long. */
const FAR = { folder: `${"long".repeat(20)}/home` };

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const ended = (pid: number) => vi.waitFor(() => expect(isAlive(pid)).toBe(false), PATIENCE);

function statusOf(home: DaemonHome) {
  return askDaemon(home.dir, { ask: "status" }, daemonStatusSchema);
}

async function pidOf(home: DaemonHome): Promise<number> {
  const status = await statusOf(home);
  if (status === undefined) throw new Error("No daemon runs");
  return status.pid;
}

/** Its daemon is ended after the test, wherever its socket is. */
function homeOf(options: { readonly folder?: string } = {}, settings: object = GUARDED): DaemonHome {
  const home = new DaemonHome(settings, options);
  onTestFinished(async () => {
    const status = await statusOf(home);
    if (status) process.kill(status.pid, "SIGKILL");
    rmSync(dirname(findSocket(runFolder(home.dir)) ?? join(home.run, "none")), { recursive: true, force: true });
  });
  return home;
}

/** The program in a terminal with another temporary folder. */
function terminal(home: DaemonHome, args: readonly string[]) {
  mkdirSync(join(home.dir, "tmp"), { recursive: true });
  const env = { HOME: home.dir, PATH: process.env.PATH ?? "", TMPDIR: join(home.dir, "tmp") };
  return endOf(spawn(process.execPath, [BINARY, ...args], { cwd: home.project, env }));
}

describe.runIf(hasCompiler)(
  "a daemon whose socket clients can no longer find ends, and the next call starts another",
  () => {
    test.each<[string, (home: DaemonHome) => void]>([
      ["it was removed", (home) => rmSync(home.socket)],
      ["it has another name", (home) => renameSync(home.socket, `${home.socket}.old`)],
      ["another file has its name", (home) => renameSync(join(home.run, "closed"), home.socket)],
      [
        "its folder was made again",
        (home) => {
          const start = readFileSync(join(home.run, "daemon.start"));
          rmSync(home.run, { recursive: true, maxRetries: 20 }); // the daemon may write its last file meanwhile
          mkdirSync(home.run, { mode: 0o700 });
          home.writeRun("daemon.start", start);
        },
      ],
      [
        "the folder around it was moved and made again",
        (home) => {
          renameSync(home.run, `${home.run}.old`);
          mkdirSync(home.run, { mode: 0o700 });
          home.writeRun("daemon.start", readFileSync(`${home.run}.old/daemon.start`));
        },
      ],
    ])("%s", async (_, remove) => {
      const home = homeOf();
      await home.bash("ls");
      const { pid } = await home.status();
      remove(home);
      await ended(pid);
      rmSync(home.socket, { force: true }); // what is not a socket is not ours to remove
      expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
      expect([(await home.status()).pid === pid, home.missed()]).toEqual([false, []]);
    });

    test("a call at the same moment is answered, too", async () => {
      const home = homeOf();
      await home.bash("ls");
      rmSync(home.socket);
      expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
      expect(home.missed()).toEqual([]);
    });

    test("the calls that it has are answered first", async () => {
      const waits = command(
        "waits",
        'touch "$HOME/begun"; while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo waited >&2; exit 2',
      );
      const home = homeOf({}, on("BeforeTool", "*", waits));
      const waiting = home.bash("ls");
      await vi.waitFor(() => expect(existsSync(join(home.dir, "begun"))).toBe(true), PATIENCE);
      const { pid } = await home.status();
      rmSync(home.socket);
      expect(await terminal(home, ["daemon", "start"])).toMatchObject({ code: 0 });
      expect((await home.status()).pid).not.toBe(pid);
      home.write("go", "");
      expect(decisionIn(await waiting)).toEqual({ decision: "deny", reason: "waited" });
      await ended(pid);
      expect(isAlive((await home.status()).pid)).toBe(true);
    });
  },
);

describe.runIf(hasCompiler)("where the path of the socket would be too long", () => {
  test("commands with another temporary folder find the daemon of an agent", async () => {
    const home = homeOf(FAR);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
    const pid = await pidOf(home);
    const socket = findSocket(runFolder(home.dir)) ?? "";
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
    expect((await terminal(home, ["daemon", "status"])).stdout).toContain(`(process ${pid})`);
    expect((await terminal(home, ["daemon", "start", "--json"])).stdout).toContain('"isOld": true');
    expect(await endDaemon(home.dir)).toBe(true);
    expect([existsSync(dirname(socket)), existsSync(join(home.run, "socket"))]).toEqual([false, false]);
  });

  test("and agents find the daemon of a terminal", async () => {
    const home = homeOf(FAR);
    expect(await terminal(home, ["daemon", "start"])).toMatchObject({ code: 0 });
    const pid = await pidOf(home);
    expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
    expect([await pidOf(home), home.missed()]).toEqual([pid, []]);
  });

  test.each(["socket", "folder", "pointer"] as const)(
    "and its %s was removed, the next call starts another",
    async (what) => {
      const home = homeOf(FAR);
      await home.bash("ls");
      const pid = await pidOf(home);
      const socket = findSocket(runFolder(home.dir)) ?? "";
      rmSync({ socket, folder: dirname(socket), pointer: join(home.run, "socket") }[what], {
        recursive: true,
        maxRetries: 20,
      });
      await ended(pid);
      expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
      expect(home.missed()).toEqual([]);
    },
  );

  test("a folder that others may enter is not believed", async () => {
    const home = homeOf(FAR);
    await home.bash("ls");
    const socket = findSocket(runFolder(home.dir)) ?? "";
    const pid = await pidOf(home);
    onTestFinished(() => rmSync(dirname(socket), { recursive: true, force: true }));
    chmodSync(dirname(socket), 0o755);
    expect(findSocket(runFolder(home.dir))).toBeUndefined();
    await ended(pid);
  });

  test.each(CLIENTS.filter(({ kind, lacks }) => kind !== "native" && lacks() === undefined))(
    "the $kind client starts it and finds it",
    async (row) => {
      const home = homeOf(FAR);
      const script = readFileSync(join(home.run, "daemon.start"), "utf8").split("\0")[1] ?? "";
      rmSync(home.client);
      home.write(
        ".hookline/bin/hookline-hook",
        row.bytes({ homeDir: home.dir, node: process.execPath, script }).toString(),
      );
      for (const _ of [1, 2]) expect(decisionIn(await home.bash("rm x"))).toEqual(DENIED);
      expect(home.missed()).toEqual([]);
    },
  );
});
