import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lstatSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeUserFolder, readOwnFile, underLock } from "@hookline/journal/program";

const KEY_BYTES = 32;

/**
 * Signs data that this user's programs must recognise as theirs. `purpose` prevents reusing a signature for something
 * else.
 */
export function signature(homeDir: string, purpose: string, content: unknown): string {
  return createHmac("sha256", userKey(homeDir))
    .update(JSON.stringify([purpose, content]))
    .digest("hex");
}

export function isSignature(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** The user's key in `~/.hookline/key`, created on first use. */
function userKey(homeDir: string): Buffer {
  const path = join(makeUserFolder(homeDir), "key");
  if (!isThere(path)) underLock(path, () => isThere(path) || make(path));
  const key = Buffer.from(readOwnFile(path, 2 * KEY_BYTES), "hex");
  if (key.length !== KEY_BYTES) throw new Error(`${path} does not contain a key; move it away, and approve again`);
  return key;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Atomic: the file is complete as soon as it has its name. */
function make(path: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, randomBytes(KEY_BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}
