import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ProcessGroups, type SendSignal } from "../../src/process/processGroups.ts";
import { quoteForShell } from "../../src/process/shellWords.ts";

/** The absolute path of a program in `test/fixtures/hooks/`. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/hooks/${name}`, import.meta.url));
}

/** The same as the text of a command: the folder of the tests may have any name. */
export function fixtureCommand(name: string): string {
  return quoteForShell(fixture(name));
}

/** The living processes of a group; one that has ended and was not reaped yet does not count. */
export function groupMembers(pgid: number): number[] {
  const all = existsSync("/proc/self/stat") ? processesFromProc() : processesFromPs();
  return all.filter((one) => one.pgid === pgid && !one.state.startsWith("Z")).map((one) => one.pid);
}

export function isAlive(pid: number): boolean {
  const all = existsSync("/proc/self/stat") ? processesFromProc() : processesFromPs();
  return all.some((one) => one.pid === pid && !one.state.startsWith("Z"));
}

export function openDescriptors(): number {
  return readdirSync("/dev/fd").length;
}

/** Asks until the check neither throws nor returns false; after `ms` it fails as the last check did. */
export async function eventually(check: () => unknown, ms = 10_000): Promise<void> {
  const deadline = Date.now() + ms;
  const verdict = () => {
    if (check() === false) throw new Error(`Not within ${ms} ms: ${check}`);
  };
  while (Date.now() < deadline) {
    try {
      return verdict();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  verdict();
}

/** The groups of a test, which remember every group they have ever held. */
export class RememberedGroups extends ProcessGroups {
  readonly pids: number[] = [];

  override add(pid: number, send?: SendSignal): void {
    this.pids.push(pid);
    super.add(pid, send);
  }

  members(): number[] {
    return this.pids.flatMap(groupMembers);
  }
}

interface Process {
  readonly pid: number;
  readonly pgid: number;
  readonly state: string;
}

function processesFromProc(): Process[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state = "", , pgid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return [{ pid: Number(name), pgid: Number(pgid), state }];
      } catch {
        return []; // it ended while we looked
      }
    });
}

function processesFromPs(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,pgid=,state="], { encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => {
    const [pid, pgid, state = ""] = line.trim().split(/\s+/);
    return { pid: Number(pid), pgid: Number(pgid), state };
  });
}
