import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A running process. `startedAt` distinguishes it from a later process with the same id. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  readonly startedAt: string;
  readonly argv: readonly string[];
}

const MOST_ANCESTORS = 64;

/** The ancestors of this process, its parent first. */
export function ancestors(of = process.ppid): readonly ProcessFacts[] {
  const found: ProcessFacts[] = [];
  for (let pid = of; pid > 0 && found.length < MOST_ANCESTORS; ) {
    const facts = processFacts(pid);
    if (!facts) break;
    found.push(facts);
    pid = facts.parent;
  }
  return found;
}

export function processFacts(pid: number): ProcessFacts | undefined {
  return process.platform === "linux" ? fromProc(pid) : fromPs(pid);
}

/** Whether this process is in the foreground of its terminal: only then can it read input there. */
export function isInForeground(): boolean {
  if (process.platform === "linux") {
    const stat = procStat(process.pid);
    return stat !== undefined && stat[2] === stat[5];
  }
  const [group, foreground] = ps(process.pid, "pgid=,tpgid=")?.trim().split(/\s+/) ?? [];
  return group !== undefined && group === foreground;
}

/** Whether a process belongs to a terminal, as a person's does. */
export function hasTerminalOf(pid: number): boolean {
  if (process.platform === "linux") return ![undefined, "0"].includes(procStat(pid)?.[4]);
  return !["", "??"].includes(ps(pid, "tty=")?.trim() ?? "");
}

function fromProc(pid: number): ProcessFacts | undefined {
  const stat = procStat(pid);
  if (!stat) return undefined;
  return { pid, parent: Number(stat[1]), startedAt: stat[19] ?? "", argv: procArgv(pid) };
}

/** The fields after the name, which may contain blanks and brackets: state, parent, group, session, tty, foreground group, … */
function procStat(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

function procArgv(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "").split("\0");
  } catch {
    return [];
  }
}

function fromPs(pid: number): ProcessFacts | undefined {
  const line = ps(pid, "ppid=,lstart=,command=");
  const [, parent = "", startedAt = "", command = ""] =
    /^\s*(\d+)\s+(\S+\s+\S+\s+\d+\s+\S+\s+\d+)\s+(.*)/.exec(line ?? "") ?? [];
  return parent === "" ? undefined : { pid, parent: Number(parent), startedAt, argv: command.split(" ") };
}

function ps(pid: number, columns: string): string | undefined {
  try {
    const env = { PATH: "/usr/bin:/bin", LC_ALL: "C" };
    return execFileSync("/bin/ps", ["-ww", "-o", columns, "-p", String(pid)], {
      encoding: "utf8",
      env,
      timeout: 5_000,
    });
  } catch {
    return undefined;
  }
}
