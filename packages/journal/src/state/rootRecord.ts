import { statSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile, replaceOwnFile } from "./openOwnFile.ts";
import { realRoot } from "./statePlace.ts";

/** Which folder a state folder is for: another clone may come to lie at the same path. */
export interface RootRecord {
  readonly root: string;
  readonly identity: string;
}

const FILE = "project.json";
const MOST_BYTES = 64 * 1024;

/** Inode and time of birth of the project's root, where the file system knows them. */
export function rootIdentity(projectRoot: string): string {
  const { ino, birthtimeNs } = statSync(projectRoot, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

/** Writes down which root the state is for, the first time and whenever it is another one. */
export function recordRoot(folder: string, projectRoot: string): void {
  const now: RootRecord = { root: realRoot(projectRoot), identity: rootIdentity(projectRoot) };
  if (readRootRecord(folder)?.identity === now.identity) return;
  replaceOwnFile(join(folder, FILE), `${JSON.stringify(now)}\n`);
}

export function readRootRecord(folder: string): RootRecord | undefined {
  try {
    const { root, identity } = JSON.parse(readOwnFile(join(folder, FILE), MOST_BYTES));
    return typeof root === "string" && typeof identity === "string" ? { root, identity } : undefined;
  } catch {
    return undefined;
  }
}
