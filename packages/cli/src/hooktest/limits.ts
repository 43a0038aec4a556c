import { isAbsolute } from "node:path";

/** Why a path is not allowed as a file of a test; undefined if it is allowed. */
export function pathFault(path: string): string | undefined {
  const names = path.toLowerCase().split("/"); // some file systems ignore case
  if (path.trim() === "" || path.includes("\0") || path.endsWith("/")) return "is not a path of a file";
  if (isAbsolute(path)) return "is absolute; write the path from the project root";
  if (names.includes("..")) return 'has a ".." in it; paths stay inside the project';
  if (names.includes("node_modules") || names.find((name) => name !== "" && name !== ".") === ".git")
    return "is not a file that a test may touch";
  return undefined;
}

/**
 * These make programs load code or settings from elsewhere. A test file is not covered by trust: with these variables it could
 * make a trusted hook run any code.
 */
const LOADS_CODE =
  /^(?:PATH|HOME|ENV|IFS|SHELL|EDITOR|VISUAL|PAGER|LESSOPEN|BASH_ENV|BASHOPTS|SHELLOPTS|PS4|PROMPT_COMMAND|CDPATH|ZDOTDIR|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH)$|^(?:LD|DYLD|NODE|NPM_CONFIG|BUN|DENO|PYTHON|PERL|PERL5|RUBY|GEM|BUNDLE|LUA|PHP|GIT|SSH|XDG|BASH_FUNC|HOOKLINE|GEMINI|CLAUDE)(?:_|$)|^(?:PYTHON|PERL5?|RUBY|LUA|PHP|GCONV|CORECLR)[A-Z]/i;

/** Why a case may not set a variable. */
export function variableFault(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) return "is not a variable name";
  return LOADS_CODE.test(name) ? "cannot be set by a test: programs load code or settings from it" : undefined;
}
