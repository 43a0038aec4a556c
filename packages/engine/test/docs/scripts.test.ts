import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { ROOT } from "../../../../test/repository.ts";
import { temporaryFolder } from "../support/system.ts";

const run = async (script: string, ...args: string[]) => {
  const tmp = join(temporaryFolder(), "tmp");
  mkdirSync(tmp);
  const env = { ...process.env, TMPDIR: tmp, NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)("node", [join(ROOT, "scripts", script), ...args], { cwd: ROOT, env });
  return { stdout, left: readdirSync(tmp) };
};

test("the pictures are what the program prints; else run `node scripts/picture.mjs`", {
  timeout: 120_000,
}, async () => {
  expect((await run("picture.mjs", "--check")).left).toEqual([]);
});
