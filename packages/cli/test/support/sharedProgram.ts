import { chmodSync, cpSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { BINARY } from "./machine.ts";

/** What the built program consists of, and the packages that are not in its bundle. */
const PARTS = ["bin", "bundle", "package.json"];
const PACKAGES = ["libsql", "@libsql", "@neon-rs", "detect-libc"];

/** The built program where every user can start it: a checkout may lie in a folder that only its owner can enter. */
export function sharedProgram(): string {
  if (isOpenToAll(dirname(BINARY))) return BINARY;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "hookline-program-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  const program = dirname(dirname(BINARY));
  for (const part of PARTS) cpSync(join(program, part), join(folder, part), { recursive: true });
  const installed = join(program, "../../node_modules");
  for (const name of PACKAGES.filter((one) => existsSync(join(installed, one)))) {
    cpSync(join(installed, name), join(folder, "node_modules", name), { recursive: true, dereference: true });
  }
  return join(folder, "bin/hookline.js");
}

function isOpenToAll(folder: string): boolean {
  if ((statSync(folder).mode & 0o005) !== 0o005) return false;
  return dirname(folder) === folder || isOpenToAll(dirname(folder));
}
