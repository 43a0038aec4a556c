import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lstatSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeUserFolder, readOwnFile, underLock } from "@hookline/journal/program";

const KEY_BYTES = 32;

/** Signs what this user's programs must recognise as theirs. `purpose` keeps a signature for one thing from passing for another. */
export function signature(homeDir: string, purpose: string, content: unknown): string {
  return createHmac("sha256", userKey(homeDir))
    .update(JSON.stringify([purpose, content]))
    .digest("hex");
}

export function isSignature(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The user's own key, in `~/.hookline/key`, made when it is first needed. */
function userKey(homeDir: string): Buffer {
  const path = join(makeUserFolder(homeDir), "key");
  if (!isThere(path)) underLock(path, () => isThere(path) || make(path));
  const key = Buffer.from(readOwnFile(path, 2 * KEY_BYTES), "hex");
  if (key.length !== KEY_BYTES) throw new Error(`${path} does not hold a key; move it away, and approve again`);
  return key;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Whole from the moment that it has its name. */
function make(path: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(KEY_BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}
