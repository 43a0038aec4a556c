import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * A case whose two ends wait for each other. To wake a processor that has gone to sleep takes longer than all that is
 * measured here, and which of the contenders pays for it is the scheduler's whim; on one processor nobody sleeps.
 */
export function runOnOneProcessor(name, dir) {
  const program = fileURLToPath(new URL("case.mjs", import.meta.url));
  const { status, stdout, error } = spawnSync(
    "taskset",
    ["-c", String(cpus().length - 1), process.execPath, program, name, dir],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  if (error?.code === "ENOENT") return undefined; // not Linux: measured where it falls
  if (status !== 0) throw new Error(`${name} failed`);
  return JSON.parse(stdout);
}
