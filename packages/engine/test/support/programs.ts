import { spawnSync } from "node:child_process";

const found = new Map<string, boolean>();

/** Whether a test that needs this program can run. Its absence is said once; under CI it is a failure. */
export function hasProgram(name: string): boolean {
  const known = found.get(name);
  const isThere = known ?? spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0;
  found.set(name, isThere);
  if (isThere) return true;
  if (process.env.CI === "true") throw new Error(`${name} is missing, and CI has to run these tests`);
  if (known === undefined) process.stderr.write(`NOTICE: ${name} is missing; the tests that need it are skipped.\n`);
  return false;
}
