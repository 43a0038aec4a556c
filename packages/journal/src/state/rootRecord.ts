import { statSync } from "node:fs";
import { join } from "node:path";
import { readOwnFile, replaceOwnFile } from "./openOwnFile.ts";
import { realRoot } from "./statePlace.ts";

/** The project folder that a state folder belongs to: another clone may later be at the same path. */
export interface RootRecord {
  readonly root: string;
  readonly identity: string;
}

const FILE = "project.json";
const MOST_BYTES = 64 * 1024;

/** Inode and birth time of the project root, where the file system supports them. */
export function rootIdentity(projectRoot: string): string {
  const { ino, birthtimeNs } = statSync(projectRoot, { bigint: true });
  return `${ino} ${birthtimeNs}`;
}

/** Records the root that the state belongs to, at first use and whenever it changes. */
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
