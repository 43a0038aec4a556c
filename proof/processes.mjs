import { spawnSync } from "node:child_process";

/** The processes whose command line ends with these words. */
export function processesOf(words) {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" });
  const lines = stdout.split("\n").filter((line) => line.endsWith(` ${words.join(" ")}`));
  return lines.map((line) => Number.parseInt(line, 10));
}
