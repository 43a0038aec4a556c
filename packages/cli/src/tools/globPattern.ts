import { basename } from "node:path";
import { compileGlob as compile, globFault, type PathMatcher } from "@hookline/engine/program";
import { ToolFault } from "./toolFault.ts";

export type { PathMatcher } from "@hookline/engine/program";

const MAX_CHARS = 500;

interface GlobOptions {
  readonly caseSensitive: boolean;
  /** Test a pattern without a slash against the file name only. */
  readonly byName?: boolean;
}

/** Parentheses are literal, as in `app/(shop)/page.tsx`. */
export function compileGlob(pattern: string, { caseSensitive, byName }: GlobOptions): PathMatcher {
  refuseUnusable(pattern);
  const matches = compile(pattern, { ignoreCase: !caseSensitive });
  return byName === true && !pattern.includes("/") ? (path) => matches(basename(path)) : matches;
}

export function refuseUnusable(pattern: string): void {
  const shown = `The pattern ${JSON.stringify(pattern.slice(0, 100))}`;
  if (pattern.length > MAX_CHARS) throw new ToolFault(`${shown} is longer than ${MAX_CHARS} characters.`);
  if (pattern.includes("\0")) throw new ToolFault(`${shown} contains a NUL character.`);
  if (/^[/~]|(^|\/)\.\.(\/|$)/.test(pattern)) {
    throw new ToolFault(`${shown} leads out of the folder. Write it relative to \`dir_path\`, without \`..\`.`);
  }
  const fault = globFault(pattern);
  if (fault !== undefined) throw new ToolFault(`${shown} ${fault}.`);
}
