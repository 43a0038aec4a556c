import { expandBraces } from "./braces.ts";

export type PathMatcher = (path: string) => boolean;

export interface GlobOptions {
  readonly ignoreCase?: boolean;
  /** A leading `!` inverts the glob. */
  readonly negatable?: boolean;
}

const MAX_CHARS = 1_000;

/** Why a glob cannot be used: `is longer than …`. Extended globs and groups can take exponential time. */
export function globFault(glob: string): string | undefined {
  if (glob.length > MAX_CHARS) return `is longer than ${MAX_CHARS} characters`;
  if (/[!?+*@]\(|\([^()]*\|/.test(glob.replace(/\\./gs, "")))
    return "is an extended glob, which is not supported; write {a,b}, or \\( for a parenthesis";
  return expandBraces(glob) === undefined ? "has too many alternatives in braces" : undefined;
}

/**
 * `*`, `?`, `[a-z]`, `[!a]`, `{a,b}` and, as a whole name, `**`. Names with a leading dot match like others. Takes time proportional to the
 * length of the path times that of the glob, at most. Throws on an unusable glob.
 */
export function compileGlob(glob: string, { ignoreCase = false, negatable = false }: GlobOptions = {}): PathMatcher {
  const fault = globFault(glob);
  if (fault !== undefined) throw new Error(`The glob ${JSON.stringify(glob)} ${fault}`);
  const folded = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  const isNegated = negatable && glob.startsWith("!");
  const wanted = folded(isNegated ? glob.slice(1) : glob).replace(/^\.\//, "");
  const alternatives = (expandBraces(wanted) ?? []).map((one) => anyFolder(one).split("/").map(namePart));
  return (path) => {
    const names = folded(path).split("/");
    return alternatives.some((parts) => matchAll(parts, names)) !== isNegated;
  };
}

export function compileGlobs(globs: readonly string[], options?: GlobOptions): PathMatcher {
  const matchers = globs.map((glob) => compileGlob(glob, options));
  return (path) => matchers.some((matches) => matches(path));
}

// People write `**.ts` and mean any folder.
function anyFolder(glob: string): string {
  return glob.replace(/^\*\*(?=[^/*][^/]*$)/, "**/*");
}

/** Tests one name of a path, or one character of a name; "any" matches any number of them. */
type Part = "any" | ((item: string) => boolean);

/** On a mismatch, only the last "any" takes one more item: whatever an earlier one could take, the last one can too. */
function matchAll(parts: readonly Part[], items: readonly string[]): boolean {
  let [part, item] = [0, 0];
  let retry: { readonly part: number; readonly item: number } | undefined;
  while (item < items.length) {
    const current = parts[part];
    if (current === "any") {
      part += 1;
      retry = { part, item };
    } else if (current?.(items[item] ?? "")) {
      part += 1;
      item += 1;
    } else if (retry) {
      retry = { part: retry.part, item: retry.item + 1 };
      ({ part, item } = retry);
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === "any");
}

function namePart(name: string): Part {
  if (name === "**") return "any";
  const pieces = name.match(/\\.|\*+|\[[!^]?\]?(?:\\.|[^\]\\])*\]|./gsu) ?? [];
  const parts = pieces.map(charPart);
  return (text) => text !== "" && matchAll(parts, [...text]);
}

function charPart(piece: string): Part {
  if (piece.startsWith("*")) return "any";
  if (piece === "?") return () => true;
  if (piece.startsWith("[") && piece !== "[") return charClass(piece.slice(1, -1));
  const wanted = piece.replace(/^\\(?=.)/s, "");
  return (char) => char === wanted;
}

function charClass(members: string): Part {
  const isNegated = /^[!^]/.test(members);
  const ranges = [...members.slice(isNegated ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gsu)];
  return (char) => ranges.some(([, first = "", last = first]) => first <= char && char <= last) !== isNegated;
}
