import { closeSync, openSync, readSync } from "node:fs";
import { findInPath } from "./findProgram.ts";
import { BUILTINS, KEYWORDS } from "./shellNames.ts";

export { findInPath, findShell } from "./findProgram.ts";
export { leadingWord, quoteForShell, words } from "./shellWords.ts";

/** Plain words are executed directly, which saves a shell; everything else means what the shell makes of it. */
export function toArgv(text: string, { path, shell }: { path: string; shell: string }): [string, ...string[]] {
  const [first, ...rest] = plainWords(text) ?? [];
  const program = first?.includes("/") ? first : first && findInPath(first, path);
  if (!program || isScriptWithoutInterpreter(program)) return [shell, "-c", text];
  return [program, ...rest];
}

/** The words of a command that every shell would split and run just so, or null. */
export function plainWords(text: string): string[] | null {
  const line = text.replace(/^[ \t\n]+|[ \t\n]+$/g, "");
  if (!/^[A-Za-z0-9_@%+=:,./ \t-]+$/.test(line)) return null;
  const found = line.split(/[ \t]+/);
  const first = found[0] ?? "";
  const assigns = /^[A-Za-z_][A-Za-z0-9_]*\+?=/.test(first);
  return assigns || KEYWORDS.has(first) || BUILTINS.has(first) ? null : found;
}

// The kernel refuses such a file. The shell then reads it itself; started directly it would go to /bin/sh, which may be another shell.
function isScriptWithoutInterpreter(program: string): boolean {
  const head = firstBytes(program, 4).toString("latin1");
  return !head.startsWith("#!") && /^[\t\n\r\x20-\x7e]+$/.test(head);
}

function firstBytes(file: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  try {
    const descriptor = openSync(file, "r");
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, count, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return bytes.subarray(0, 0); // unreadable, or not there: starting it will say so
  }
}
