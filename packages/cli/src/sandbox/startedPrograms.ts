import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Bounds } from "./bounds.ts";
import { filesBelow } from "./listFiles.ts";

/** The programs that hooks start, with the files these are known to need. Paths are relative to the root. */
export interface StartedPrograms {
  readonly paths: readonly string[];
  /** Links on the path to a program: kept even if they point outside the project. */
  readonly links: ReadonlySet<string>;
  readonly notices: readonly string[];
}

/**
 * A git-ignored program was built or installed, usually with other files: copies its folder too, unless that is large.
 */
export function startedPrograms(
  root: string,
  started: readonly string[],
  { ignored, bounds }: { readonly ignored: readonly string[]; readonly bounds: Bounds },
): StartedPrograms {
  const reached = started.flatMap((path) => [path, ...realPlace(root, path)]);
  const built = reached.map((path) => builtWith(root, path, { ignored, bounds }));
  return {
    paths: [...new Set([...reached, ...built.flatMap(({ paths }) => paths)])],
    links: new Set(started.flatMap((path) => linksOnTheWay(root, path))),
    notices: [...new Set(built.flatMap(({ notice }) => notice))],
  };
}

function builtWith(
  root: string,
  path: string,
  { ignored, bounds }: { readonly ignored: readonly string[]; readonly bounds: Bounds },
): { readonly paths: readonly string[]; readonly notice: readonly string[] } {
  const whole = ignored.find((entry) => entry.endsWith("/") && path.startsWith(entry))?.slice(0, -1);
  if (whole === undefined) return { paths: [], notice: [] };
  // Prefer the whole build output, whose parts may need each other; otherwise the program's folder.
  for (const folder of [whole, dirname(path)]) {
    const files = filesBelow(root, folder, bounds.maxBuiltFiles);
    const bytes = files.reduce((sum, file) => sum + sizeOf(join(root, file)), 0);
    if (files.length <= bounds.maxBuiltFiles && bytes <= bounds.maxBuiltBytes) return { paths: files, notice: [] };
  }
  return {
    paths: [],
    notice: [`git ignores ${whole}, which is large; the copy has only the programs in it that hooks start`],
  };
}

/** The resolved path of a program, if it is inside the project. */
function realPlace(root: string, path: string): readonly string[] {
  try {
    const place = relative(root, realpathSync(join(root, path)));
    return place === path || place.startsWith("..") || isAbsolute(place) ? [] : [place];
  } catch {
    return [];
  }
}

function linksOnTheWay(root: string, path: string): readonly string[] {
  const names = path.split("/");
  const ways = names.map((_, index) => names.slice(0, index + 1).join("/"));
  const first = ways.find((way) => lstatSync(join(root, way), { throwIfNoEntry: false })?.isSymbolicLink());
  return first === undefined ? [] : [first];
}

function sizeOf(file: string): number {
  return lstatSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
