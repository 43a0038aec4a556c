import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftOf, linkDraft, makeUserFolder, readOwnFile, removeLeftBehind } from "@hookline/journal/program";

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
  if (!isThere(path)) make(path);
  removeLeftBehind(path); // also a draft that another process has just linked: it counts as a second hard link
  const key = Buffer.from(readOwnFile(path, 2 * KEY_BYTES), "hex");
  if (key.length !== KEY_BYTES) throw new Error(`${path} does not contain a key; move it away, and approve again`);
  return key;
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Complete as soon as it has its name, where the file system has hard links. If another process is faster, its key stays. */
function make(path: string): void {
  const draft = draftOf(path);
  write(draft);
  try {
    if (!linkDraft(draft, path)) write(path);
  } catch (error) {
    if (!isThere(path)) throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function write(file: string): void {
  writeFileSync(file, randomBytes(KEY_BYTES).toString("hex"), { mode: 0o600, flag: "wx" });
}
