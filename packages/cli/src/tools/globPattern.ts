import { ToolFault } from "./toolFault.ts";

const MAX_CHARS = 500;
const MAX_STARS_PER_NAME = 3;
const MAX_GLOBSTARS = 2;

export type PathMatcher = (path: string) => boolean;

interface GlobOptions {
  readonly caseSensitive: boolean;
  /** A pattern without a slash is tested against the name alone, in whatever folder the file is. */
  readonly byName?: boolean;
}

/** Parentheses are taken as they are, as in `app/(shop)/page.tsx`: as groups they would let a pattern take forever. */
export async function compileGlob(pattern: string, { caseSensitive, byName }: GlobOptions): Promise<PathMatcher> {
  refuseUnusable(pattern);
  const { default: picomatch } = await import("picomatch");
  return picomatch(
    pattern.replace(/\\?[()]/g, (paren) => `\\${paren.slice(-1)}`),
    {
      dot: true,
      nocase: !caseSensitive,
      nonegate: true,
      noextglob: true,
      regex: false,
      basename: byName === true && !pattern.includes("/"),
    },
  );
}

export function refuseUnusable(pattern: string): void {
  const shown = `The pattern ${JSON.stringify(pattern.slice(0, 100))}`;
  if (pattern.length > MAX_CHARS) throw new ToolFault(`${shown} is longer than ${MAX_CHARS} characters.`);
  if (pattern.includes("\0")) throw new ToolFault(`${shown} contains a NUL character.`);
  if (/^[/~]|(^|\/)\.\.(\/|$)/.test(pattern)) {
    throw new ToolFault(`${shown} leads out of the folder. Write it relative to \`dir_path\`, without \`..\`.`);
  }
  if (isCostly(pattern, MAX_STARS_PER_NAME)) throw new ToolFault(`${shown} has too many wildcards; use fewer \`*\`.`);
}

/**
 * Each further `*` in a name, and each further `**`, multiplies the time that a long path can take: four in a name make
 * seconds of a single one. Names of files are for whoever made the repository to choose.
 */
export function isCostly(pattern: string, starsPerName: number): boolean {
  const names = pattern.split("/");
  return (
    names.filter((name) => name.includes("**")).length > MAX_GLOBSTARS ||
    names.some((name) => (name.match(/\*+/g)?.length ?? 0) > starsPerName)
  );
}
