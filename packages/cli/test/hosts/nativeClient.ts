import { existsSync } from "node:fs";
import { beforeEach } from "vitest";
import { ROOT } from "../../../../test/repository.ts";

const CLIENT = `${ROOT}packages/cli/native/hookline-hook-${process.platform}-${process.arch}`;

/** Skips the tests of a file where no client was built, for want of a C compiler. Under CI that is a failure. */
export function needNativeClient(): void {
  const isBuilt = existsSync(CLIENT);
  if (!isBuilt && process.env.CI === "true") throw new Error(`${CLIENT} is missing, and CI has to run these tests`);
  if (!isBuilt) process.stderr.write("NOTICE: the native client is not built; the tests that need it are skipped.\n");
  beforeEach(({ skip }) => skip(!isBuilt));
}
