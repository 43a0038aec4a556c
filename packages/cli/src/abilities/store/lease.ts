import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Lease } from "./task.ts";

/** How long a task counts as running without a sign of life. Much longer than a busy machine can hold up a timer. */
export const LEASE_MS = 60_000;
export const HEARTBEAT_MS = 10_000;

/** Process ids mean something within one host, and there within one namespace: containers may share a folder. */
export const HOST = `${hostname()} ${pidNamespace()}`.trim();

/** Whoever had it is gone, or has not been heard of for too long. */
export function hasExpired({ pid, host, expiresAt }: Lease, now: number): boolean {
  return expiresAt < now || (host === HOST && !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is somebody else's, and there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return ""; // not Linux
  }
}
