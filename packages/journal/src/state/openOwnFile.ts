import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { fileFault, UnusablePath } from "./ownFolder.ts";

/** Opens a regular file of this user: never follows a link and never blocks on a pipe. */
export function openOwnFile(path: string, flags: number): { readonly file: number; readonly size: number } {
  const file = openSync(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, 0o600);
  const stats = fstatSync(file);
  const fault = fileFault(stats);
  if (fault === undefined) return { file, size: stats.size };
  closeSync(file);
  throw new UnusablePath(path, fault, "Move it away.");
}

/** Reads such a file as text. Throws if it is larger than expected. */
export function readOwnFile(path: string, maxBytes: number): string {
  const { file, size } = openOwnFile(path, constants.O_RDONLY);
  try {
    if (size > maxBytes) throw new Error(`it has ${size} bytes; at most ${maxBytes} are read`);
    return readFileSync(file, "utf8");
  } finally {
    closeSync(file);
  }
}

/** Reads the end of such a file as text. */
export function readOwnTail(path: string, maxBytes: number): string {
  const { file, size } = openOwnFile(path, constants.O_RDONLY);
  try {
    const bytes = Buffer.alloc(Math.min(size, maxBytes));
    return bytes.toString("utf8", 0, readSync(file, bytes, 0, bytes.length, size - bytes.length));
  } finally {
    closeSync(file);
  }
}

/** Appends to such a file; creates it if missing. */
export function appendOwnFile(path: string, text: string): void {
  const { file } = openOwnFile(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
  try {
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
}

/** Atomically replaces the file of this name. */
export function replaceOwnFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
  renameSync(draft, path);
}
