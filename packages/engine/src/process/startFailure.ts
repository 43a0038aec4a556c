import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { isProgram } from "./findProgram.ts";

/** Node reports `spawn x ENOENT` for a missing program, interpreter or directory alike; this tells them apart. */
export function explainStartFailure(error: Error, program: string, cwd: string): Error {
  const code = "code" in error ? error.code : undefined;
  const what = explanation(code, program, cwd);
  return what === undefined ? error : Object.assign(new Error(what, { cause: error }), { code });
}

function explanation(code: unknown, program: string, cwd: string): string | undefined {
  const file = program.includes("/") ? resolve(cwd, program) : undefined;
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      if (!isDirectory(cwd)) return `The working directory ${cwd} does not exist.`;
      if (file && existsSync(file)) return `The interpreter that ${program} names in its first line does not exist.`;
      return `${program} does not exist.`;
    case "EACCES":
      return file && !isProgram(file) ? `${program} is not executable.` : undefined;
    case "E2BIG":
      return `The arguments and the environment of ${program} are larger than the system accepts.`;
    default:
      return undefined;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
