import { spawnSync } from "node:child_process";

/** Whether a test that needs this program can run. Its absence is said; under CI it is a failure. */
export function hasProgram(name: string): boolean {
  if (spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0) return true;
  if (process.env.CI === "true") throw new Error(`${name} is missing, and CI has to run these tests`);
  process.stderr.write(`NOTICE: ${name} is missing; the tests that need it are skipped.\n`);
  return false;
}
