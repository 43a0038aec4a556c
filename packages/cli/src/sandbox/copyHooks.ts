import { relative } from "node:path";
import type { LoadedSettings } from "@hookline/engine/program";
import { copyProject, type ProjectCopy } from "./projectCopy.ts";
import { Relocation } from "./relocation.ts";

interface CopyOptions {
  /** What to do if the project is too large. */
  readonly next: string;
  readonly signal: AbortSignal;
  /** Other projects that the copy stands for: what hooks start of those, they start from this one. */
  readonly standsFor?: readonly string[];
}

/** Where hooks can run and harm nothing: the project with every program that they start, also where git ignores it. */
export function copyHooks(
  { projectRoot, hooks }: LoadedSettings,
  { standsFor = [], ...options }: CopyOptions,
): Promise<ProjectCopy> {
  const files = hooks.flatMap(({ source, target }) => (source === "project" ? (target?.files ?? []) : []));
  const own = new Relocation([projectRoot, ...standsFor], projectRoot);
  const started = files.map((file) => relative(projectRoot, own.path(file))).filter((path) => !path.startsWith(".."));
  return copyProject(projectRoot, { started, ...options });
}
