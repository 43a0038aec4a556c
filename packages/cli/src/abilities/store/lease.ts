import { readlinkSync } from "node:fs";
import { hostname } from "node:os";
import type { Lease } from "./task.ts";

/** How long a task counts as running without a renewal. Much longer than a busy machine can delay a timer. */
export const LEASE_MS = 60_000;
export const HEARTBEAT_MS = 10_000;

/** Process ids are valid within a host and a PID namespace only: containers may share a folder. */
export const HOST = `${hostname()} ${pidNamespace()}`.trim();

/** Whether the owner of the lease has exited or has not renewed it in time. */
export function hasExpired({ pid, host, expiresAt }: Lease, now: number): boolean {
  return expiresAt < now || (host === HOST && !isAlive(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists and belongs to another user.
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
