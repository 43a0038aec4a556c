import { isAbsolute, relative, sep } from "node:path";
import { formatPlace, type Place } from "@hookline/engine/program";
import { visible } from "./visible.ts";

interface Bases {
  readonly projectRoot: string;
  readonly homeDir: string;
}

/** The path of a file, relative to the project root or the home folder if it is inside. */
export function showFile(file: string, { projectRoot, homeDir }: Bases): string {
  const inProject = inside(file, projectRoot);
  if (inProject !== undefined) return visible(inProject);
  const inHome = inside(file, homeDir);
  return visible(inHome === undefined ? file : `~${sep}${inHome}`);
}

export function showPlace(place: Place, bases: Bases): string {
  return formatPlace({ ...place, file: showFile(place.file, bases) });
}

/** Without the column: a line is enough to find a hook. */
export function showLine({ file, line }: Place, bases: Bases): string {
  return showPlace(line === undefined ? { file } : { file, line }, bases);
}

function inside(file: string, folder: string): string | undefined {
  const path = relative(folder, file);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? undefined : path;
}
