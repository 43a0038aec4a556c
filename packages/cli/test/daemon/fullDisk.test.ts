import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hasCompiler, isThere } from "../../../client/test/support/compiler.ts";
import { BINARY } from "../support/machine.ts";
import { DaemonHome, decisionIn, NO_RM, on } from "./support/daemonHome.ts";

const isRoot = process.getuid?.() === 0;
const hasMounts = isThere("the right to mount a small disk (root on Linux)", canMount(), { neededInCi: isRoot });

function mount(folder: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder]).status === 0;
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "hookline-mount-"));
  const isMounted = mount(folder);
  if (isMounted) spawnSync("umount", [folder]);
  rmdirSync(folder);
  return isMounted;
}

/** All of hookline's files are on a small disk. */
function onSmallDisk(): DaemonHome {
  const home = new DaemonHome(on("BeforeTool", "run_shell_command", NO_RM));
  const folder = join(home.dir, ".hookline");
  renameSync(folder, `${folder}.files`);
  mkdirSync(folder);
  expect(mount(folder)).toBe(true);
  onTestFinished(async () => {
    await home.kill();
    spawnSync("umount", ["-l", folder]);
  });
  cpSync(`${folder}.files`, folder, { recursive: true });
  return home;
}

function fill(home: DaemonHome): void {
  for (const size of [65536, 4096, 1]) {
    try {
      for (;;) writeFileSync(join(home.dir, ".hookline/fill"), Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      expect(error).toMatchObject({ code: "ENOSPC" });
    }
  }
}

test.runIf(hasCompiler && hasMounts)("on a full disk the very first daemon starts, and guards run", async () => {
  const home = onSmallDisk();
  fill(home);
  expect(decisionIn(await home.bash("rm x"))).toEqual({ decision: "deny", reason: "no rm here" });
  expect(await home.bash("ls")).toMatchObject({ code: 0, stdout: Buffer.from("") });
  expect(home.missed()).toEqual([]);
});

test.runIf(hasCompiler && hasMounts)(
  "a disk that is full for a while leaves nothing that stops the next start",
  async () => {
    const home = onSmallDisk();
    expect(decisionIn(await home.bash("rm x")).decision).toBe("deny");
    fill(home);
    await home.kill();
    expect(decisionIn(await home.bash("rm x")).decision).toBe("deny");
    await home.kill();
    rmSync(join(home.dir, ".hookline/fill"));
    expect(decisionIn(await home.bash("rm x")).decision).toBe("deny");
    expect(readFileSync(join(home.run, "closed"), "utf8")).toBe("BeforeTool\t/\n");
  },
);

test.runIf(hasCompiler)("a lock that cannot be taken is named, with what to do", () => {
  const home = new DaemonHome();
  mkdirSync(join(home.run, "daemon.lock"));
  const env = { HOME: home.dir, PATH: process.env.PATH ?? "" };
  const { status, stderr } = spawnSync(process.execPath, [BINARY, "daemon", "run"], { env, encoding: "utf8" });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^✗ \S*\/run\/daemon\.lock: The daemon cannot start: .*\n +Move it away/),
  ]);
});
