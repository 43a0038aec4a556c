import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { processFacts } from "../terminal/processes.ts";

/** The process of a daemon that nothing can reach, since the file of its socket was removed. */
export function lostDaemon(homeDir: string): number | undefined {
  const words = ["daemon", "run", "--home", homeDir];
  return process.platform === "linux"
    ? processIds().find((pid) => isDeepStrictEqual(processFacts(pid)?.argv.slice(-words.length), words))
    : listed(` ${words.join(" ")}`);
}

function processIds(): readonly number[] {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return []; // a sandbox without /proc
  }
}

function listed(ending: string): number | undefined {
  try {
    const options = { encoding: "utf8", env: { LC_ALL: "C" }, timeout: 5_000 } as const;
    const lines = execFileSync("/bin/ps", ["-axww", "-o", "pid=,command="], options).split("\n");
    const line = lines.find((one) => one.trimEnd().endsWith(ending));
    return line === undefined ? undefined : Number.parseInt(line, 10);
  } catch {
    return undefined;
  }
}
