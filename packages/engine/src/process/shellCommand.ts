import { closeSync, constants, openSync, readSync } from "node:fs";
import { findInPath } from "./findProgram.ts";
import { BUILTINS } from "./shellNames.ts";
import { simpleWords } from "./shellWords.ts";

export { findInPath, findShell } from "./findProgram.ts";
export { withValues } from "./shellVariables.ts";
export { leadingWord, quoteForShell, words } from "./shellWords.ts";

/** Runs plain words directly, which saves a shell; anything else goes through the shell. */
export function toArgv(text: string, { path, shell }: { path: string; shell: string }): [string, ...string[]] {
  const [first, ...rest] = plainWords(text) ?? [];
  const program = first?.includes("/") ? first : first && findInPath(first, path);
  if (!program || isScriptWithoutInterpreter(program)) return [shell, "-c", text];
  return [program, ...rest];
}

/** The words of a command that every shell would split and run the same way, without quotes; otherwise null. */
export function plainWords(text: string): string[] | null {
  const found = simpleWords(text);
  const [first = ""] = found ?? [];
  return first === "" || BUILTINS.has(first) ? null : found;
}

// The kernel refuses such a file, and the shell then reads it itself. Started directly it would go to /bin/sh, which may be another shell.
function isScriptWithoutInterpreter(program: string): boolean {
  const head = firstBytes(program, 4).toString("latin1");
  return !head.startsWith("#!") && /^[\t\n\r\x20-\x7e]+$/.test(head);
}

function firstBytes(file: string, count: number): Buffer {
  const bytes = Buffer.alloc(count);
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      return bytes.subarray(0, readSync(descriptor, bytes, 0, count, 0));
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return bytes.subarray(0, 0); // unreadable or missing: starting it will report that
  }
}
