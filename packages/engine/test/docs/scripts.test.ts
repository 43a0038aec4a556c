import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { temporaryFolder } from "../support/system.ts";
import { ROOT } from "./repository.ts";

const run = async (script: string, ...args: string[]) => {
  const tmp = join(temporaryFolder(), "tmp");
  mkdirSync(tmp);
  const env = { ...process.env, TMPDIR: tmp, NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)("node", [join(ROOT, "scripts", script), ...args], { cwd: ROOT, env });
  return { stdout, left: readdirSync(tmp) };
};

test("the tour shows context, a rewrite, blocks and asks, and leaves nothing behind", async () => {
  const { stdout, left } = await run("start.mjs");
  expect(stdout.match(/^. (allowed|blocked|ask)/gm)).toEqual([
    "✓ allowed",
    "✓ allowed",
    "✗ blocked",
    "✗ blocked",
    "? ask",
    "? ask",
  ]);
  expect(stdout).toMatch(/^ {6}context {2}Tests run with/m);
  expect(stdout).toMatch(/tool_input\.content .* → .* by trim-trailing-space/);
  expect(left).toEqual([]);
});

test("the picture is what the program prints; else run `node scripts/picture.mjs`", async () => {
  expect((await run("picture.mjs", "--check")).left).toEqual([]);
});
